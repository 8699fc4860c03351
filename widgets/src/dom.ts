/**
 * Making elements. Strings become text nodes and attributes, never markup: that is the
 * whole defence against a variable that is called "<img onerror=…>".
 */

const SVG = "http://www.w3.org/2000/svg";

/** Names and values; a string alone is the class. */
type Attributes = string | Record<string, string | number | boolean | undefined>;

/**
 * Keys pressed here are the widget's own. JupyterLab asks the focused element itself before it
 * walks up from there, so whatever can have the focus says it: else "x" would cut the cell.
 */
export const ownKeys = (element: Element): void => element.setAttribute("data-lm-suppress-shortcuts", "true");

function fill(element: Element, given: Attributes, children: (Node | string)[]): void {
  const attributes = typeof given === "string" ? { class: given } : given;
  for (const name in attributes) {
    const value = attributes[name];
    if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  if ("tabindex" in attributes || /^(button|input|select|summary)$/.test(element.localName)) ownKeys(element);
  element.append(...children);
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  fill(element, attributes, children);
  return element;
}

/** Set text only when it differs, so that a live region does not repeat itself. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Its name for a screen reader is its text, unless that is a sign or says too little. */
export function button(text: string, onPress: () => void, className = "mg-button", name = text): HTMLButtonElement {
  const element = h("button", { type: "button", class: className, "aria-label": name }, text);
  element.addEventListener("click", onPress);
  return element;
}

/** A sentence in which `names in backquotes` are set as code. */
export function prose(text: string): (Node | string)[] {
  return text.split("`").map((part, i) => (i % 2 === 1 ? h("code", {}, part) : part));
}

/** Call `answer` when the form is submitted: by its button, or by Enter in one of its inputs. */
export function onSubmit(form: HTMLFormElement, answer: () => void): void {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    answer();
  });
  // Inside a notebook the browser's own submitting by Enter does not happen.
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target instanceof HTMLInputElement) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
}

/** The outermost element of a widget. Its keys are its own, not JupyterLab's shortcuts. */
export function root(el: HTMLElement, name: string): HTMLElement {
  const element = h("div", `mg-root mg-${name}`);
  ownKeys(element);
  el.append(element);
  return element;
}

/** A plain message where the widget would have been. */
export function notice(text: string): HTMLElement {
  return h("p", { class: "mg-notice", role: "status", "data-mg-status": true }, text);
}

export const calm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;
