/** Finds the elements that the script has to start: those that a list has shown since the last time, too. */

const started = new WeakSet<Element>()

export function found<T extends HTMLElement>(selector: string): readonly T[] {
  const fresh = [...document.querySelectorAll<T>(selector)].filter((element) => !started.has(element))
  for (const element of fresh) started.add(element)
  return fresh
}
