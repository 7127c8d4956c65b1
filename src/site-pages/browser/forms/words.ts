/** Returns a text of the page in the language of the site: the page hands them over as attributes of its root. */
export const words = (name: string): string => document.documentElement.dataset[name] ?? ''
