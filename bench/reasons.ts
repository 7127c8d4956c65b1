/** What stands in the way of targets that were missed: sentences for the report, beside the profiles. */
import { keyOf } from './runs.ts'
import type { Target } from './targets.ts'

const firstRequest =
  'it is code that runs for the first time, and no part stands out: settings, scheduled tasks, the generated parser of the arguments, the list and its answer take a sixth to a third each, while V8 compiles their functions. A second search takes a twentieth of it.'

const reasons: { readonly [target: string]: string } = {
  'checked body of a new post; JSON.parse':
    'after the parse, each member is looked at once more: for its depth, the names that no object may have, half surrogates and numbers that are not finite. A body of few long texts, as here, leaves little time to hide that pass in.',
  'handle() in process; fetch of Hono':
    'handle() makes no Request and no Response, which are most of what Hono spends. The bound was set with Node 20, where they cost more.',
  'fetch(Request); fetch of Hono':
    'both sides spend most of it in the Request and the Response of Node, which are the same for both.',
  'first request to d1; ms': firstRequest,
  'first request to d2; ms': firstRequest,
  'batch of 25 creates, SQLite; bare inserts':
    'the inserts decide nothing and answer nothing: of an item of the batch, the slug, the checks, the revision, the rendered answer and the event are not in them.',
  'batch of 25 creates, SQLite; reference implementation (10/s)':
    'a hundred times is a thousand batches a second, 40 µs for each post; the bare inserts of equal rows with their indexes alone take more.',
  'HTTP, routed and checked GET; bare node:http':
    'what is missing for the bound is less than the spread between rounds; most of the time of both is the socket.',
  'HTTP, routed and checked GET; fastify':
    'the answer is nearly that of a bare server for both, and the difference is less than the spread between rounds.',
  'HTTP, routed and checked GET; express':
    'Express costs less than five times a bare server here, so that a server without any routing would miss it too.',
  'post by id, SQLite, HTTP; bare node:http':
    'the bare server finds the bytes by the path. A kept answer has its arguments and its sign-in checked, and the change token read from SQLite.',
  'post by id, SQLite, HTTP; best peer (537 µs)':
    'it asks for 21 µs, and a bare server takes 24 to 44 µs for the same bytes in these runs.',
  'create, SQLite, HTTP; best peer (5 ms)':
    'it asks for 250 µs. A third of the time is in statements of SQLite, the rows with their 15 indexes first; the rest is spread over checks, the slug, the revision, the event and the rendered answer.',
}

export const reasonOf = (target: Target): string | undefined => reasons[keyOf(target)]
