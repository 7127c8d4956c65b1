/** The progress line on stderr; stdout has only the results. */

let part = ''

export function begin(name: string): void {
  part = name
  showProgress('starting')
}

export function showProgress(text: string): void {
  const line = `[bench] ${part}: ${text}`
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`)
  else process.stderr.write(`${line}\n`)
}

export function end(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
}
