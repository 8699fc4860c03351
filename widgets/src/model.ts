/** The part of anywidget's front-end interface (AFM) that the widgets use. */

export interface Model {
  get(name: string): unknown;
  on(name: string, callback: (message?: unknown) => void): void;
  off(name: string, callback: (message?: unknown) => void): void;
  send(content: unknown): void;
}

export interface RenderArguments {
  model: Model;
  el: HTMLElement;
  signal?: AbortSignal;
}

export interface Widget {
  initialize?: (arguments_: { model: Model }) => void;
  render: (arguments_: RenderArguments) => () => void;
}
