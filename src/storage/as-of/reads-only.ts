/** Refuses a write to a storage as of a moment. */
export const readsOnly = async (): Promise<never> => {
  throw new TypeError('a storage as of a moment is not written to')
}
