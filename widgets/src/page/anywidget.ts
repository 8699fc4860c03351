/** The part of anywidget's front-end interface (AFM) that the widgets use. */

export interface Model {
  get(name: string): unknown;
  on(name: string, callback: (message?: unknown) => void): void;
  off(name: string, callback: (message?: unknown) => void): void;
  send(content: unknown): void;
}

/** What a view gets, which may also write. */
export interface ViewModel extends Model {
  set(name: string, value: unknown): void;
  save_changes(): void;
}

export interface RenderArguments {
  model: ViewModel;
  el: HTMLElement;
  signal?: AbortSignal;
}

export interface Widget {
  initialize?: (arguments_: { model: Model }) => void;
  render: (arguments_: RenderArguments) => () => void;
}
