/** A process that attacks a server until it is killed: `attacker.ts BASE NAME`. Prints a line when it begins; some attacks print latencies after it. */
import { attacks } from './attacks.ts'

const [base = '', name = ''] = process.argv.slice(2)
const attack = attacks.find((one) => one.name === name)
if (attack === undefined) throw new Error(`no attack is called ${name}`)
console.log('begins')
// Unread sockets do not keep a process alive.
setInterval(() => undefined, 1000)
await Promise.all(Array.from({ length: attack.clients }, (_, client) => attack.run(new URL(base), client)))
