/** A route: `/api/harbour/v1/tides?day=2026-06-01` answers when the water is high. */
import { anyone, args, endpoint, feature, responses } from 'site-api'

const day = args.required(args.str({ description: 'The day, such as 2026-06-01.', pattern: '\\d{4}-\\d{2}-\\d{2}' }))

/** High water comes every 12 hours and 25 minutes. */
const period = (12 * 60 + 25) * 60_000

export const tides = feature('tides', 'harbour/v1', [
  endpoint({
    path: '/tides',
    methods: ['GET'],
    args: { day },
    summary: 'List the high waters of a day',
    responses: { 200: responses.fields({ day: args.str(), high: args.list(args.str()) }) },
    permission: anyone,
    handler: ({ args: { day } }) => {
      const start = Date.parse(`${day}T00:00:00Z`)
      const first = Math.ceil(start / period) * period
      const high = [first, first + period].map((time) => new Date(time).toISOString().slice(11, 16))
      return { day, high }
    },
  }),
])
