/* html.h: tables and documents as HTML: the only room with markup in it.
 *
 * Everything is written to an output that the caller owns; failures stick there.
 */
#ifndef PAGE_HTML_H
#define PAGE_HTML_H

#include "table/printer.h"
#include "table/prose.h"

extern const struct printer html_printer;     /* a <section> fragment without style or script */
extern const struct prose_printer html_prose; /* a whole page, with a table of contents */
/* What stands before the timeline in the page of a trace: names of operators, slices and runs in its tables lead there. */
extern const struct prose_printer html_front;

/* A whole HTML page: the shell (web/shell.html, web/style.css, embedded at build time) around the fragments. */
void html_page_begin(struct output *output, const char *title);
void html_page_end(struct output *output);
/* A text for the inside of a page, escaped. */
void html_write_text(struct output *output, const char *text);

/* The page of a trace (web/trace.html around the bundle of web/src/page), which lets a browser run and load nothing but its own script and
 * style. Data lies in elements of its own, found by their ids: JSON, or text without "<". False: Tacho was built without the bundle, and such
 * pages cannot be written. */
bool html_has_script(void);
void html_trace_begin(struct output *output, const char *title);
void html_data_begin(struct output *output, const char *type, const char *id);
void html_data_end(struct output *output);
void html_trace_end(struct output *output);

/* Says what to do about that. */
#define HTML_WITHOUT_SCRIPT                                                                                    \
    "tacho was built without pages: with -Dpages=none, or node and npm were missing, or npm could not fetch; " \
    "`make pages` in its source folder tries again"

/* The page of `tacho serve` (web/serve.html, and the bundle of web/src/serve): all of it, and the Content-Security-Policy that it is sent with, which
 * is static. */
bool html_has_serve_script(void);
void html_serve_page(struct output *output);
const char *html_serve_policy(void);
/* The page of a trace that is served: that of traces without any data, which its script asks the server for; and its policy, static. */
void html_timeline_page(struct output *output);
const char *html_timeline_policy(void);
/* A page that leads to another one at once. */
void html_redirect(struct output *output, const char *address);

#endif
