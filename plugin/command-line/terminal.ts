/** The terminal of the process: Ctrl-C, and passwords. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { Interrupted } from './errors.js'

/** Does work that Ctrl-C ends in an orderly way: the first one aborts the signal, the second one ends the process. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interrupt = new AbortController()
  const abort = () => interrupt.abort()
  process.once('SIGINT', abort)
  try {
    return await work(interrupt.signal)
  } finally {
    process.removeListener('SIGINT', abort)
  }
}

/** Asks for a password, which a terminal does not show; without a terminal it is the first line of the input. @throws Interrupted */
export async function readPassword(question: string): Promise<string> {
  const { stderr, stdin } = process
  const terminal = stdin.isTTY === true
  if (terminal) stderr.write(question)
  // What readline writes would be the password.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: nowhere, terminal })
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve)
      lines.once('SIGINT', () => reject(new Interrupted('Interrupted.')))
      lines.once('close', () => resolve(''))
    })
  } finally {
    lines.close()
    if (terminal) stderr.write('\n')
  }
}
