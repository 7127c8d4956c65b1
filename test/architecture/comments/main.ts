/** `node test/architecture/comments/main.ts src/render`: the comments of these files and folders that the rules refuse. */
import { refusedComments } from './refused-comments.ts'

const refused = refusedComments(process.argv.slice(2))
for (const { file, line, reason, text } of refused) console.log(`${file}:${line} ${reason}\n  ${text}`)
console.log(`${refused.length} refused`)
process.exitCode = refused.length === 0 ? 0 : 1
