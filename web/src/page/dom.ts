// Elements of the page, made in one call.

type Attributes = Record<string, string>;

export function element<K extends keyof HTMLElementTagNameMap>(
    tag: K, attributes: Attributes = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
}

/** A sign of 16 by 16, in the colour of the text. */
export function drawing(path: string): SVGElement {
    const space = "http://www.w3.org/2000/svg";
    const made = document.createElementNS(space, "svg");
    for (const [name, value] of [["viewBox", "0 0 16 16"], ["width", "12"], ["height", "12"], ["aria-hidden", "true"]] as const) made.setAttribute(name, value);
    const line = document.createElementNS(space, "path");
    line.setAttribute("d", path);
    line.setAttribute("fill", "currentColor");
    made.append(line);
    return made;
}

export function button(text: string, title: string, action: () => void): HTMLButtonElement {
    const made = element("button", { type: "button", title }, text);
    made.addEventListener("click", action);
    return made;
}

/** A group of buttons of which one is pressed. */
export function choice(label: string, texts: string[], chosen: number, action: (index: number) => void): HTMLElement {
    const buttons = texts.map((text, index) => button(text, "", () => choose(index)));
    const choose = (index: number): void => {
        press(index);
        action(index);
    };
    const press = (index: number): void =>
        buttons.forEach((one, at) => one.setAttribute("aria-pressed", String(at === index)));
    for (const one of buttons) one.removeAttribute("title");
    press(chosen);
    const group = element("span", { class: "choice", role: "group", "aria-label": label }, ...buttons);
    group.addEventListener("press", (event) => press((event as CustomEvent<number>).detail));
    return group;
}

/** Shows another button of a choice as pressed, without its action. */
export function pressed(group: HTMLElement, index: number): void {
    group.dispatchEvent(new CustomEvent("press", { detail: index }));
}
