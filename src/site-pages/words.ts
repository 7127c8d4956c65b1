/** The texts that the pages write themselves. A host replaces them for another language. */

export const englishWords = {
  skip: 'Skip to content',
  menu: 'Menu',
  search: 'Search',
  searchFor: 'Search the site',
  searchResults: 'Results for “{text}”',
  noResults: 'Nothing was found. Other words may help.',
  noPosts: 'There is nothing here yet.',
  notFound: 'This page does not exist',
  notFoundText: 'It may have moved, or the address has a mistake in it. The search may find it.',
  home: 'Home',
  newest: 'Latest posts',
  by: 'by {name}',
  published: 'Published',
  updated: 'Updated',
  filedUnder: 'Filed under',
  tagged: 'Tagged',
  newer: 'Newer',
  older: 'Older',
  pages: 'Pages',
  page: 'Page {page}',
  previous: 'Previous',
  next: 'Next',
  readOn: 'Read on',
  author: 'Posts by {name}',
  protectedTitle: 'Protected: {title}',
  protectedText: 'This text is protected. Enter its password to read it.',
  password: 'Password',
  open: 'Open',
  wrongPassword: 'This is not the password.',
  formSent: 'Thank you. Your message has arrived.',
  formProblem: 'Your message was not sent:',
  download: 'Download',
  feed: 'Feed',
  preview: 'A preview. Visitors do not see this page yet.',
  failed: 'This page could not be shown',
  failedText: 'Something went wrong on our side. Please try again in a moment.',
}

/** The texts of the pages, for translations. */
export type Words = { readonly [name in keyof typeof englishWords]: string }

/** Puts values into the gaps of a text: `by {name}`. */
export const filled = (text: string, values: { readonly [name: string]: string }): string =>
  text.replace(/\{(\w+)\}/g, (gap, name: string) => (Object.hasOwn(values, name) ? (values[name] as string) : gap))
