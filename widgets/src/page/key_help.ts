/** What the keys do, for those who ask. */

import { h } from "./dom.ts";

export const keyHelp = (text: string): HTMLElement =>
  h("details", "mg-keys", h("summary", "mg-button", "Keys"), h("p", {}, text));
