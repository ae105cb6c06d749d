/** Ways in which receivers of webhooks misbehave, with what the log of deliveries has to say about each. */
import type { Socket } from 'node:net'
import { type RawRequest, type Way, written } from './raw-receiver.js'

/** Milliseconds that receivers of these specs may take. */
export const TIMEOUT = 1500
export const TIMED_OUT = `Timeout after ${TIMEOUT / 1000} seconds`
const NOT_HTTP = 'The response is not HTTP'
const INTERIM = 'The receiver sent an interim response that was not asked for'
const CLOSED = 'Connection closed by the receiver'
/** One GB. */
const GIGABYTE = 2 ** 30
const PIECE = Buffer.alloc(2 ** 16, 'x')
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

export interface Misbehavior extends Way {
  /** Status that the log shows of a request that is answered like this. */
  readonly status: number | null
  /** Reason that it shows; null if the delivery counts as sent. */
  readonly reason: string | null
  /** Answer that it shows; default: none. */
  readonly shown?: string | RegExp
  /** Number of requests that are answered like this before the receiver is well again. Default: 2. */
  readonly turns?: number
  /** Seconds between which the second attempt is due after the first one; default: the usual minute. */
  readonly due?: readonly [least: number, most: number]
  /** True if the message is given up after one attempt. */
  readonly isFinal?: boolean
  /** True if the connection must not stay open after the attempt. */
  readonly isLeft?: boolean
}

type Rest = Omit<Misbehavior, 'status' | 'reason' | 'answer'>

/** An answer with a status, as servers give it. */
function status(line: string, headers: readonly string[] = [], rest: Rest = {}): Misbehavior {
  const reason = line.startsWith('2') ? null : line
  return { status: Number(line.slice(0, 3)), reason, answer: sends(written(line, headers)), ...rest }
}

function asking(line: string, retryAfter: string, due?: readonly [number, number]): Misbehavior {
  return status(line, [`Retry-After: ${retryAfter}`], due && { due })
}

/** An answer that is a failure without a status. */
function broken(reason: string, answer: Way['answer'], rest: Rest = {}): Misbehavior {
  return { status: null, reason, answer, ...rest }
}

/** An answer with status 200 and something wrong behind it. */
function sent(answer: Way['answer'], rest: Rest = {}): Misbehavior {
  return { status: 200, reason: null, answer, ...rest }
}

function sends(...pieces: readonly (string | Buffer)[]): Way['answer'] {
  return (socket) => {
    for (const piece of pieces) socket.write(piece)
  }
}

/** Sends the beginning of an answer, and ends the connection once it has arrived. */
function sendsAndResets(beginning: string): Way['answer'] {
  return (socket) => {
    if (beginning === '') socket.resetAndDestroy()
    else socket.write(beginning, () => setTimeout(() => socket.resetAndDestroy(), 20))
  }
}

/** Sends the same piece for as long as it is taken. */
function sendsWithoutEnd(beginning: string, piece: string | Buffer): Way['answer'] {
  return (socket) => {
    socket.write(beginning)
    const more = () => {
      while (!socket.destroyed && socket.write(piece));
    }
    socket.on('drain', more)
    more()
  }
}

/** Sends a text over and over, one character at a time. */
function trickles(beginning: string, text: string): Way['answer'] {
  return (socket) => {
    socket.write(beginning)
    let sent = 0
    const timer = setInterval(() => socket.write(text[sent++ % text.length] ?? ''), 10)
    socket.once('close', () => clearInterval(timer))
  }
}

/** Everything that it got. */
function repeats(socket: Socket, { body, headers, way }: RawRequest): void {
  socket.write(
    written(`500 ${headers['x-api-key']}`, ['Content-Type: text/plain'], `${way} ${JSON.stringify(headers)} ${body}`),
  )
}

const usual = (line: string) => ({ [line.slice(0, 3)]: status(line) })
const DAY = [86_400, 86_400 * 1.1 + 1] as const

/** @param date an HTTP date half an hour after the first attempt @param elsewhere URL to which redirects lead */
export function misbehaviors(date: Date, elsewhere: string): Readonly<Record<string, Misbehavior>> {
  const asctime = date.toUTCString().replace(/^(\w{3}), (\d\d) (\w{3}) (\d{4}) ([\d:]+) GMT$/, '$1 $3 $2 $5 $4')
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
  return {
    ...usual('304 Not Modified'),
    ...usual('400 Bad Request'),
    ...usual('401 Unauthorized'),
    ...usual('404 Not Found'),
    ...usual('409 Conflict'),
    ...usual("418 I'm a teapot"),
    ...usual('502 Bad Gateway'),
    '500': status('500 Internal Server Error', [], { turns: 10 }),
    '301': status('301 Moved Permanently', [`Location: ${elsewhere}`]),
    '410': status('410 Gone', [], { isFinal: true }),
    '999': status('999'),
    '204-with-body': { status: 204, reason: null, answer: sends('HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nok') },
    '304-with-length': { status: 304, reason: '304 Not Modified', answer: sends('HTTP/1.1 304\r\nContent-Length: 9\r\n\r\n') },
    '099': broken(NOT_HTTP, sends('HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n')),
    '1000': broken(NOT_HTTP, sends('HTTP/1.1 1000 High\r\nContent-Length: 0\r\n\r\n')),
    '103-first': sent(sends('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', OK), { shown: 'ok' }),
    '100-first': broken(INTERIM, sends(`HTTP/1.1 100 Continue\r\n\r\n${OK}`)),
    '101': broken(INTERIM, sends('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: smtp\r\n\r\n')),

    'asks-seconds': asking('429 Too Many Requests', '1800', [1800, 1981]),
    'asks-date': asking('429 Too Many Requests', date.toUTCString(), [1800, 1981]),
    'asks-old-date': asking('429 Too Many Requests', asctime, [1800, 1981]),
    'asks-minus': asking('429 Too Many Requests', '-5'),
    'asks-soon': asking('429 Too Many Requests', 'soon'),
    'asks-1e9': asking('429 Too Many Requests', '1e9'),
    'asks-about': asking('429 Too Many Requests', 'about 3600 seconds'),
    'asks-year': asking('429 Too Many Requests', 'after 2999'),
    'asks-9999': asking('429 Too Many Requests', 'Fri, 31 Dec 9999 23:59:59 GMT', DAY),
    'asks-days': asking('503 Service Unavailable', '172800', DAY),
    'asks-twice': status('503 Service Unavailable', ['Retry-After: 1800', 'Retry-After: 60'], { due: [1800, 1981] }),
    '500-asks': asking('500 Internal Server Error', '1800'),

    silent: broken(TIMED_OUT, () => {}, { isLeft: true }),
    'slow-head': broken(TIMED_OUT, trickles('', 'HTTP/1.1 200 OK\r\nX-Slow: '.padEnd(5000, 'x')), { isLeft: true }),
    'endless-hints': broken(TIMED_OUT, trickles('', 'HTTP/1.1 103 Early Hints\r\n\r\n'), { isLeft: true }),
    'endless-head': broken(
      'The headers of the response are too long',
      sendsWithoutEnd('HTTP/1.1 200 OK\r\n', 'X-Y: z\r\n'.repeat(1000)),
      {
        isLeft: true,
      },
    ),
    'reset-first': broken(CLOSED, sendsAndResets(''), { turns: 10 }),
    'reset-in-head': broken(CLOSED, sendsAndResets('HTTP/1.1 200 OK\r\nContent-Le')),
    'end-in-head': broken(CLOSED, (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Le')),
    'no-colon': broken(NOT_HTTP, sends('HTTP/1.1 200 OK\r\nno colon\r\n\r\n')),
    'nul-in-head': broken(NOT_HTTP, sends('HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n')),
    'two-lengths': broken(NOT_HTTP, sends('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok')),
    'huge-length': broken(NOT_HTTP, sends(`HTTP/1.1 200 OK\r\nContent-Length: ${'9'.repeat(30)}\r\n\r\nok`)),
    banner: broken(NOT_HTTP, sends('SSH-2.0-OpenSSH_9.6\r\n')),

    'endless-body': sent(trickles('HTTP/1.1 200 OK\r\n\r\n', 'x'), { shown: /^x{2,1024}$/, isLeft: true }),
    'endless-500': {
      ...{ status: 500, reason: '500 Nothing', shown: /^x{2,1024}$/, isLeft: true },
      answer: trickles('HTTP/1.1 500 Nothing\r\n\r\n', 'x'),
    },
    gigabyte: sent(sendsWithoutEnd(`HTTP/1.1 200 OK\r\nContent-Length: ${GIGABYTE}\r\n\r\n`, PIECE), {
      ...{ shown: /^x{1024}$/, isLeft: true },
    }),
    'endless-chunks': sent(sendsWithoutEnd(chunked, `10000\r\n${PIECE}\r\n`), { shown: /^x{1024}$/, isLeft: true }),
    'bad-chunk': sent(sends(`${chunked}2\r\nok\r\nzz\r\n`), { shown: /^(ok)?$/, isLeft: true }),
    'reset-in-body': sent(sendsAndResets('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok'), { shown: 'ok' }),
    'two-answers': sent(sends(`${OK}HTTP/1.1 500 Late\r\nContent-Length: 0\r\n\r\n`), { shown: 'ok', isLeft: true }),
    'ends-after': sent((socket) => socket.end(OK), { shown: 'ok' }),
    'no-gzip': sent(sends(written('200 OK', ['Content-Encoding: gzip'], 'ok')), { shown: 'ok' }),
    'utf-16': sent(sends(written('200 OK', ['Content-Type: text/plain; charset=utf-16'], Buffer.from('grün ✓', 'utf16le'))), {
      shown: 'grün ✓',
    }),
    controls: {
      ...{ status: 500, reason: '500 abc', shown: 'a\ufffd\ufffd\tb\r\nc' },
      answer: sends(written('500 a\x01b\x7fc\xe9', [], 'a\0\x1b\tb\r\nc')),
    },
    repeats: {
      ...{ status: 500, reason: '500 ***', shown: /"x-api-key":"\*\*\*".*"authorization":"\*\*\*"/ },
      answer: repeats,
    },
    'early-answer': { ...status('413 Too Large', ['Connection: close']), early: true },
  }
}
