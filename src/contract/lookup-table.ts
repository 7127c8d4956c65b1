/**
 * Tables that are read with names from requests and documents. They have no prototype: an object literal also finds `constructor`
 * and `toString`.
 */

/**
 * Removes the prototype of `entries`, and returns it.
 *
 * @__NO_SIDE_EFFECTS__
 */
export const lookupTable = <T extends object>(entries: T): T => Object.setPrototypeOf(entries, null)
