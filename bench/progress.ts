/** One line on stderr that says what runs now; stdout keeps the results alone. */

let part = ''

export function begin(name: string): void {
  part = name
  tell('starting')
}

export function tell(text: string): void {
  const line = `[bench] ${part}: ${text}`
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`)
  else process.stderr.write(`${line}\n`)
}

export function end(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
}
