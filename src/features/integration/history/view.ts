/** The difference of a record, as the routes of several features answer with it. */
export { differenceMembers } from './args.ts'
export { differenceOf, type RecordDifference } from './difference/index.ts'
