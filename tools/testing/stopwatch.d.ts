/**
 * Starts to measure the milliseconds that the work and the waits of this process take. Time in which a busy machine gives the
 * process no processor is left out, so a time limit holds the tested code to its promise, whatever else runs. Returns a function
 * that reads the milliseconds so far. Another process of the test is held up as often as this one.
 */
export declare const startStopwatch: () => () => number
