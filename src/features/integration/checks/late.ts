/** Gathers the parts of checks that are loaded with the first one: their rules, their patches and the task of links. */
export { applyPatch } from './apply.ts'
export { checkLinks } from './link-tasks/check.ts'
export { reportOn } from './report.ts'
export { checkPosts, checkSite } from './run.ts'
