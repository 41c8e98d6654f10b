/** A tab of a browser. Its functions run one after another, but what the page does in one tab goes on in the other tabs too. */
export interface Tab {
  /** Runs a function in the page. It can use nothing from outside but its argument, which is JSON, as is its result. */
  evaluate<T>(run: () => T | Promise<T>): Promise<T>
  evaluate<T, Given>(run: (given: Given) => T | Promise<T>, given: Given): Promise<T>
  goto(url: string): Promise<void>
  reload(): Promise<void>
  close(): Promise<void>
  /** Finds the process that runs the page. A stopped process (SIGSTOP) is as a machine that sleeps. */
  findProcess(): Promise<number>
}

/** A browser that has started, with a profile of its own. */
export interface Engine {
  openTab(): Promise<Tab>
  close(): Promise<void>
}

export interface EngineOptions {
  /** True for a browser whose settings forbid pages to store data. */
  readonly blocksData?: boolean
}
