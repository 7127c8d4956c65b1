/**
 * How many generated cases a test runs: `npm test` and `npm run test:browser` take a fixed part of them, `npm run test:long`
 * all (`TEST_FULL=1`), where the tests that no storage concerns run on each storage as well.
 */
export const isFullRun = process.env['TEST_FULL'] === '1'

/** All cases in a full run, otherwise every fifth, or the share that the test says. */
export const casesOf = (all: number, share = 1 / 5): number => (isFullRun ? all : Math.ceil(all * share))
