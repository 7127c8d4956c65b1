/** Describes the questions and answers of a page for search engines, as a schema.org FAQPage. */

interface Question {
  readonly question: string
  /** The answer as HTML. */
  readonly answer: string
}

export const faqSchema = (list: readonly Question[]): object => ({
  '@context': 'https://schema.org',
  '@type': 'FAQPage',
  mainEntity: list.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: answer },
  })),
})
