/**
 * Starts to measure the milliseconds that the work and the waits of this process take. Time in which a busy machine gives the
 * process no processor is left out, so that a time limit measures the tested code, whatever else runs. Returns a function that
 * reads the milliseconds so far. A second process of the test is delayed in the same way as this process.
 */
export declare const startStopwatch: () => () => number
