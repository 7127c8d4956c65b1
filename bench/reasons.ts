/** Explains in the report why targets were missed, beside the profiles. */
import { keyOf } from './runs.ts'
import type { Target } from './targets.ts'

const firstRequest =
  'it is code that runs for the first time, and no function stands out: settings, scheduled tasks, the parser of the arguments, and the list with its answer take a fifth to a third each. A second search takes a twentieth of it.'

const reasons: { readonly [target: string]: string } = {
  'checked body of a new post; JSON.parse':
    'after the parse, each member is visited once more, for its depth, reserved names, NUL, half surrogates and numbers that are not finite.',
  'handle() in process; fetch of Hono':
    'handle() makes no Request and no Response, which are most of what fetch spends beside it. The bound was set with Node 20, and what they cost there was not measured again.',
  'fetch(Request); fetch of Hono':
    'both sides spend most of it in the Request and the Response of Node, which are the same for both.',
  'first request to d1; ms': firstRequest,
  'first request to d2; ms': firstRequest,
  'batch of 25 creates, SQLite; reference implementation (10/s)':
    'a hundred times is a thousand batches a second, 40 µs for each post; the bare inserts of equal rows with their indexes alone take more.',
  'HTTP, routed and checked GET; bare node:http':
    'what is missing for the bound is less than the spread between rounds; more than a quarter of our time is the write to the socket.',
  'HTTP, routed and checked GET; fastify': 'what is missing for the bound is less than the spread between rounds.',
  'HTTP, routed and checked GET; express':
    'Express costs less than five times a bare server here, so that a server without any routing would miss it too.',
  'post by id, SQLite, HTTP; bare node:http':
    'the bare server finds the bytes by the path. A cached response has its arguments and its sign-in checked, and the change token read from SQLite.',
  'list of 20 full posts, SQLite, HTTP; bare node:http':
    'what is missing for the bound is less than the spread between rounds; the change token, read for each request, is 2 of 41 µs.',
  'list of 20, another page each, SQLite, HTTP; bare node:http':
    'the statement of the page and its total are a quarter of it, the write of 50 kB to the socket a fifth; of the rest no function takes more than 4 %.',
  'list of 20, one write of another post in 20 reads, SQLite, HTTP; bare node:http':
    'the one update costs three times as much as the twenty lists, which stay cached.',
  'list of 20, one write of a post in it in 20 reads, SQLite, HTTP; bare node:http':
    'the one update costs three times as much as the twenty lists, and one of these is made anew.',
  'search, another word each, SQLite, HTTP; bare node:http':
    'the look-up of trigrams takes 160 µs, the comparison of the texts that it finds, and of posts that are not indexed yet, 180 µs: together five times what the bare server does in all.',
  'create, SQLite, HTTP; bare node:http':
    'the commit is a third of it and the statements before it a sixth; the bare inserts write the same rows, and read, check and render nothing. No other part is above 9 %.',
  'update, SQLite, HTTP; bare node:http':
    'as for a create; the search index, which takes the whole text of a post whose title has changed, is a sixth of it.',
  'batch of 25 creates, SQLite, HTTP; bare node:http':
    'the views of the posts are a fifth of it, their inserts with indexes and triggers a tenth, as is the commit; the rest is spread over the checks of each post.',
  'post by id, SQLite, HTTP; best peer (537 µs)':
    'it asks for 21 µs, and a bare server takes 24 to 44 µs for the same bytes in these runs.',
  'create, 24 at once, SQLite, HTTP; best peer (5 ms)':
    'it asks for 250 µs. A quarter to a third of the time is in statements of SQLite, where a row of posts has 11 indexes; the rest is spread over many functions, none above 4 % of the time.',
}

export const reasonOf = (target: Target): string | undefined => reasons[keyOf(target)]
