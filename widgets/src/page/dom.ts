/**
 * Making elements. Strings become text nodes and attributes, never markup: that is the
 * whole defence against a variable that is called "<img onerror=…>".
 */

const SVG = "http://www.w3.org/2000/svg";

/** Names and values; a string alone is the class. */
type Attributes = string | Record<string, string | number | boolean | undefined>;

/** Write attributes, and put something in. */
export function fill(element: Element, given: Attributes, children: (Node | string)[] = []): void {
  const attributes = typeof given === "string" ? { class: given } : given;
  for (const name in attributes) {
    const value = attributes[name];
    if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
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

/** A rectangle with round corners, around a point. */
export const rect = (width: number, height: number, rx: number, name?: string, x = 0, y = 0): SVGRectElement =>
  s("rect", { class: name, x: x - width / 2, y: y - height / 2, width, height, rx });

/** Set text only when it differs, so that a live region does not repeat itself. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Its name for a screen reader is its text, unless that is a sign or says too little. */
export function button(text: string, onPress: () => void, className = "mg-button", name?: string): HTMLButtonElement {
  const element = h("button", { type: "button", class: className, "aria-label": name }, text);
  listen(element, "click", onPress);
  return element;
}

/** Switch a button on or off. Its aria-disabled instead of disabled: a pressed button must not lose the focus. */
export function dim(element: HTMLButtonElement, off: boolean): void {
  element.ariaDisabled = off ? "true" : null;
}

/** Listen to an event, if there is something to listen to. What is drawn anew needs no end to it. */
export function listen<K extends keyof HTMLElementEventMap>(
  target: EventTarget | undefined,
  type: K,
  react: (event: HTMLElementEventMap[K]) => void,
): void {
  target?.addEventListener(type, react as EventListener, { passive: false });
}

/** Focus an element, if it is there, where it stands. */
export const focus = (element: HTMLElement | SVGElement | null | undefined): void =>
  element?.focus({ preventScroll: true });

/** A sentence in which `names in backquotes` are set as code. */
export function prose(text: string): (Node | string)[] {
  return text.split("`").map((part, i) => (i % 2 === 1 ? h("code", {}, part) : part));
}

/** Call `answer` when the form is submitted: by its button, or by Enter in one of its inputs. */
export function onSubmit(form: HTMLFormElement, answer: () => void): void {
  listen(form, "submit", (event) => {
    event.preventDefault();
    answer();
  });
  // Inside a notebook the browser's own submitting by Enter does not happen.
  listen(form, "keydown", (event) => {
    if (event.key === "Enter" && event.target instanceof HTMLInputElement) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
}

/**
 * The outermost element of a widget. Keys pressed in it are its own, except for those that lead out
 * of it: JupyterLab asks the focused element first, so that one says so, or "x" would cut the cell.
 */
export function root(el: HTMLElement, name: string): HTMLElement {
  const element = h("div", `mg-root mg-${name}`);
  const claim = ({ target }: Event): void => (target as Element).setAttribute("data-lm-suppress-shortcuts", "true");
  listen(element, "focusin", claim);
  // Except Ctrl or ⌘ + S, which saves the notebook: so it is said anew for each key, before JupyterLab hears of it.
  const each = (event: KeyboardEvent): void => {
    if (saves(event)) (event.target as Element).removeAttribute("data-lm-suppress-shortcuts");
    else claim(event);
  };
  listen(element, "focusin", () => window.addEventListener("keydown", each, true));
  listen(element, "focusout", () => window.removeEventListener("keydown", each, true));
  // Before anything in it: a button would be pressed, and a form be sent.
  element.addEventListener("keydown", (event) => leave(element, event), true);
  el.append(element);
  return element;
}

const saves = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && key.toLowerCase() === "s";

/** What closes by a button. */
const OPEN = "[open] > .mg-button, .mg-search:not([hidden]) .mg-shut, .mg-details header button";

/**
 * Escape closes what is open, or goes to the cell of the notebook. Ctrl or Alt + Enter runs that
 * cell, Shift + Enter the next one: this one has been run, and would ask its question anew.
 */
function leave(element: HTMLElement, event: KeyboardEvent): void {
  const cell = element.closest<HTMLElement>(".jp-Cell");
  const open = element.querySelector<HTMLElement>(OPEN);
  const searches = (event.target as Element).closest(".mg-search") !== null; // Shift + Enter goes back in it
  const escapes = event.key === "Escape";
  const shift = event.shiftKey && !searches;
  const runs = event.key === "Enter" && (shift || event.ctrlKey || event.altKey || event.metaKey);
  if (escapes && open) {
    open.focus();
    open.click();
  } else if (cell && escapes) {
    cell.focus();
  } else if (cell && runs) {
    pressAgain((event.shiftKey && (cell.nextElementSibling as HTMLElement | null)) || cell, event);
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

/** JupyterLab asks where a key was pressed, so it is pressed again in this cell. */
export function pressAgain(cell: HTMLElement, event: KeyboardEvent): void {
  cell.focus();
  cell.dispatchEvent(new KeyboardEvent("keydown", event));
}

/** A plain message where the widget would have been. */
export function notice(text: string): HTMLElement {
  return h("p", { class: "mg-notice", role: "status", "data-mg-status": true }, text);
}

export const calm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A name that nothing else in the page has. Counting would not do: each view loads its module anew. */
export const ownName = (): string => `mg-${Math.random().toString(36).slice(2)}`;
