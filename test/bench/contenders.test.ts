/** The benchmark is run by hand; each of its contenders verifies its own responses when it is created. */
import { describe, test } from 'vitest'
import * as answers from '../../bench/answers.ts'
import * as args from '../../bench/arguments.ts'
import * as batch from '../../bench/batch.ts'
import * as inProcess from '../../bench/in-process.ts'
import * as render from '../../bench/render.ts'
import * as routing from '../../bench/routing.ts'
import * as texts from '../../bench/texts.ts'

describe.each(Object.entries({ answers, args, batch, inProcess, render, routing, texts }))(
  'the benchmark %s',
  (_, { contenders }) => {
    test.each(Object.keys(contenders))('creates the contender "%s", whose cases run', async (name) => {
      const contender = await contenders[name]?.()
      for (const run of Object.values(contender?.cases ?? {})) await run()
    })
  },
)
