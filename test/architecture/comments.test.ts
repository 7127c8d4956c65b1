/** A comment has a verb and uses none of the words that hide a noun; a short label may go without a verb. */
import { expect, test } from 'vitest'
import { listed } from '../support/assertion-messages.ts'
import { refusedComments } from './comments/refused-comments.ts'
import { refusal } from './comments/rules.ts'

// It reads all sources: a busy machine takes a minute.
test('the comments have verbs, and name things by their nouns', { timeout: 300_000 }, () => {
  const refused = refusedComments().map(({ file, line, reason, text }) => `${file}:${line} ${reason}: ${text}`)
  const message =
    'Rewrite these comments, with an actor, a verb and the field’s term (or add a verb to comments/verbs.ts):'
  expect(refused, listed(message, refused)).toEqual([])
})

test.each([
  ['The same of any number of rows: of posts, whose columns have texts and numbers.', '"The same of …"'],
  ['What all parts of the contract share.', '"What …"'],
  ['A key that nobody has told.', '"nobody"'],
  ['The filter stands before the search.', '"stands"'],
  ['Each row has a table of its own.', '"of its own"'],
  ['The rows of a list, in the order of their ids, each with its columns.', 'no verb'],
  ['By the id of a row.', 'no verb, and a label does not begin with "by"'],
])('refuses: %s', (comment, reason) => {
  expect(refusal(comment)).toBe(reason)
})

test.each([
  'Writes several rows in one statement.',
  'Lists the posts of an author.',
  'The lists of a page, which no request changes.',
  '`&` stands for the selector of the element.',
  'Called for every change of a row.',
  'Milliseconds.',
  'The largest number of rows in one statement. Default: 500.',
])('accepts: %s', (comment) => {
  expect(refusal(comment)).toBeUndefined()
})
