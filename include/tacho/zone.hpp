/* zone.hpp: zone.h for C++: zones that end with their scope, arguments of any type. The macros of zone.h work in C++ as they are. See there
 * for threads, signals and failure.
 *
 *     void infer(const tensor &input)
 *     {
 *         TACHO_FUNCTION();
 *         tacho::argument("bytes", input.size());
 *         tacho::zone_named layer(TACHO_HERE_SITE, "layer " + std::to_string(number));
 *     }
 */
#ifndef TACHO_ZONE_HPP
#define TACHO_ZONE_HPP

#include <string>
#include <type_traits>

#include "zone.h"

/* A static site of this place, as an expression: for the classes below. */
#define TACHO_HERE_SITE                                                               \
    ([](const char *function) -> tacho_site * {                                       \
        static tacho_site site = { function, function, __FILE__, __LINE__, 0, 0, 0 }; \
        return &site;                                                                 \
    }(__func__))

namespace tacho
{

/* A zone until the end of the scope. It cannot be copied; moved, the new one ends it. */
class zone
{
  public:
    explicit zone(tacho_site *site) : zone_(tacho_zone_begin(site))
    {
    }
    zone(zone &&other) noexcept : zone_(other.zone_)
    {
        other.zone_.site = 0;
    }
    zone(const zone &) = delete;
    zone &operator=(const zone &) = delete;
    zone &operator=(zone &&) = delete;
    ~zone()
    {
        tacho_zone_end(zone_);
    }
    bool recorded() const
    {
        return zone_.site != 0;
    }

  protected:
    explicit zone(tacho_zone begun) : zone_(begun)
    {
    }

  private:
    tacho_zone zone_; /* site 0: nothing to end */
};

/* The same with a name that is made while the program runs. */
class zone_named : public zone
{
  public:
    zone_named(tacho_site *site, const std::string &name) : zone(tacho_zone_begin_named(site, name.data(), name.size()))
    {
    }
};

/* An argument of the innermost zone: numbers, booleans, texts. */
template <typename T>
inline typename std::enable_if<std::is_integral<T>::value>::type argument(const char *key, T value)
{
    if (std::is_signed<T>::value)
        tacho_integer_of(key, static_cast<int64_t>(value));
    else
        tacho_unsigned_of(key, static_cast<uint64_t>(value));
}

template <typename T>
inline typename std::enable_if<std::is_floating_point<T>::value>::type argument(const char *key, T value)
{
    tacho_decimal_of(key, static_cast<double>(value));
}

inline void argument(const char *key, const char *value)
{
    tacho_text_of(key, value, std::char_traits<char>::length(value));
}

inline void argument(const char *key, const std::string &value)
{
    tacho_text_of(key, value.data(), value.size());
}

inline void message(const std::string &text)
{
    tacho_message(text.data(), text.size());
}

} // namespace tacho

#endif
