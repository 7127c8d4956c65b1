/** Hands a count to the row of `npm run test:trust` that runs the test: the row adds up the counts of one unit. */
export function counted(count: number, unit: string): void {
  if (process.env['TRUST_REPORT']) console.info(`counted: ${count} ${unit}`)
}
