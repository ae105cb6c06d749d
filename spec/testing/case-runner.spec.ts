import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import Koa from 'koa'
import {
  CaseFailed,
  type CaseRunner,
  caseRunner,
  loadWorld,
  type RequestCase,
  runCases,
  type SetTime,
  type World,
} from '../../plugin/testing/index.js'
import { serving } from '../http/client.js'
import { withMounted } from '../support/mounted.js'

const world: World = {
  id: (name) => ({ ines: 17, desk: 4 })[name.replace('@', '')] ?? missing(name),
  token: (name) => `token of ${name}`,
  signIn: () => ({ email: 'ines@widgets.example', password: 'secret' }),
  record: missing,
  names: ['ines', 'desk'],
}

function missing(name: string): never {
  throw new RangeError(`There is no ${name}`)
}

/** Answers what it was asked. */
function echo(): Koa {
  const app = new Koa()
  app.use(async (ctx) => {
    const chunks: Buffer[] = []
    for await (const chunk of ctx.req) chunks.push(chunk as Buffer)
    ctx.set('ETag', '"7"')
    ctx.body = {
      url: ctx.url,
      by: ctx.get('Authorization'),
      tag: ctx.get('If-None-Match'),
      sent: Buffer.concat(chunks).toString(),
    }
  })
  return app
}

async function run(one: RequestCase, setTime?: SetTime): Promise<unknown> {
  return serving(echo(), async ({ port }) => {
    const records = new Map([['task', { bodies: { minimal: { subject: 'Move', owner_id: '@ines' } } }]])
    const runner: CaseRunner = caseRunner({ baseUrl: `http://127.0.0.1:${port}/api/v1`, world, records })
    try {
      return await runner.run(one, setTime).catch((error: unknown) => error)
    } finally {
      runner.close()
    }
  })
}

describe('a case', () => {
  it('asks as a person, with names replaced, and holds when the answer fits', async () => {
    const failure = await run({
      name: 'a task is made',
      as: '@ines',
      request: {
        method: 'POST',
        path: '/v1/teams/@desk/tasks?member=@ines',
        body: { $like: 'task.minimal', subject: '@@home' },
      },
      response: {
        status: 200,
        body: {
          url: '/api/v1/teams/4/tasks?member=17',
          by: `Basic ${Buffer.from('token of @ines:x').toString('base64')}`,
          tag: '',
          sent: '{"subject":"@home","owner_id":17}',
        },
      },
    })
    expect(failure).to.equal(undefined)
  })

  it('fails with all differences when the answer does not fit', async () => {
    const failure = await run({
      name: 'a wrong one',
      request: { path: '/v1/teams' },
      response: { status: 201, headers: { ETag: '"8"', 'X-Other': '@text' }, body: { url: '/v1' } },
    })
    expect(failure).to.be.instanceOf(CaseFailed)
    const { differences } = failure as CaseFailed
    expect(differences[0]).to.equal('the status is 200, not 201')
    expect(differences[1]).to.equal('header ETag is "\\"7\\"", not "\\"8\\""')
    expect(differences[2]).to.equal('header X-Other is absent, not @text')
    expect(differences.slice(3).map((text) => text.split(' ')[0])).to.deep.equal([
      'body.url',
      'body.by',
      'body.tag',
      'body.sent',
    ])
  })

  it('remembers values of one step for the next', async () => {
    const failure = await run({
      name: 'two steps',
      steps: [
        { request: { path: '/v1' }, response: { status: 200 }, remember: { '@tag': 'headers.etag' } },
        {
          request: { path: '/v1', headers: { 'If-None-Match': '@tag' } },
          response: { status: 200, partial: true, body: { tag: '@tag' } },
        },
      ],
    })
    expect(failure).to.equal(undefined)
  })

  it('fails for names, bodies and values that nobody gave', async () => {
    const response = { status: 200 } as const
    expect(await run({ name: 'x', request: { path: '/v1/@nobody' }, response })).to.be.instanceOf(RangeError)
    expect(await run({ name: 'x', request: { path: '/v1', body: { $like: 'task.full' } }, response })).to.be.instanceOf(
      RangeError,
    )
    expect(await run({ name: 'x', request: { path: '/v1' }, response, remember: { '@a': 'body.none' } })).to.be.instanceOf(
      RangeError,
    )
  })
})

describe('the runner of cases', () => {
  it('makes a block of each topic and a spec of each case, for any framework', async () => {
    const seen: string[] = []
    const one: RequestCase = { name: 'a sentence', request: { path: '/v1' }, response: { status: 200 } }
    const specs: (() => Promise<void>)[] = []
    runCases({
      topics: [{ name: 'a topic', about: '', cases: [one] }],
      runner: () => ({
        run: async (given) => void seen.push(`runs ${given.name}`),
        body: (given) => given,
        close: () => undefined,
      }),
      describe: (name, define) => {
        seen.push(name)
        define()
      },
      it: (_, spec) => specs.push(spec),
      beforeTopic: async ({ name }) => void seen.push(`before ${name}`),
    })
    for (const spec of specs) await spec()
    expect(seen).to.deep.equal(['a topic', 'before a topic', 'runs a sentence'])
  })

  it('resets before each case', async () => {
    const seen: string[] = []
    const response = { status: 200 } as const
    const cases = ['one', 'two'].map((name) => ({ name, request: { path: '/v1' }, response }))
    const specs: (() => Promise<void>)[] = []
    runCases({
      topics: [{ name: 'a topic', about: '', cases }],
      runner: () => ({ run: async ({ name }) => void seen.push(`runs ${name}`), body: (body) => body, close: () => {} }),
      describe: (_, define) => define(),
      it: (_, spec) => specs.push(spec),
      beforeCase: async ({ name }, topic) => void seen.push(`before ${name} of ${topic.name}`),
    })
    for (const spec of specs) await spec()
    expect(seen).to.deep.equal(['before one of a topic', 'runs one', 'before two of a topic', 'runs two'])
  })

  it('lets time pass in a step, and is reported as skipped where that is not possible', async () => {
    const response = { status: 200 } as const
    const cases: readonly RequestCase[] = [
      { name: 'now', request: { path: '/v1' }, response },
      { name: 'later', steps: [{ at: '2027-03-01T08:00:00Z' }, { request: { path: '/v1' }, response }] },
    ]
    const named = (skips: boolean, setTime?: SetTime) => {
      const names: string[] = []
      const it = Object.assign((name: string) => names.push(name), skips && { skip: (name: string) => names.push(`- ${name}`) })
      runCases({
        topics: [{ name: 'time', about: '', cases }],
        runner: () => missing(''),
        describe: (_, define) => define(),
        it,
        ...(setTime && { setTime }),
      })
      return names
    }
    expect(named(true)).to.deep.equal(['now', '- later'])
    expect(named(false)).to.deep.equal(['now', 'later (skipped: time passes in it, and there is no setTime)'])
    expect(named(true, async () => {})).to.deep.equal(['now', 'later'])
    const [, later] = cases
    const times: string[] = []
    if (later) {
      expect(await run(later, async (at) => void times.push(at))).to.equal(undefined)
      expect(await run(later))
        .to.have.property('message')
        .that.equals('later: time passes in this case, and run() has no setTime')
    }
    expect(times).to.deep.equal(['2027-03-01T08:00:00Z'])
  })

  it('needs nothing that a host without our development tools lacks', () => {
    for (const file of readdirSync('plugin/testing')) {
      const text = readFileSync(`plugin/testing/${file}`, 'utf8')
      const imported = [...text.matchAll(/^(?:import|export) (?!type)[^'\n]*from '([^']+)'/gm)].map(([, from = '']) => from)
      expect(imported.filter((from) => !/^(koa$|node:|\.\.?\/)/.test(from))).to.deep.equal([])
    }
  })
})

describe('a world', () => {
  const mounted = withMounted()
  const load = (records: readonly object[]) =>
    loadWorld(mounted.itsm, { accounts: [], records: records as never }).then(
      () => '',
      (error: Error) => error.message,
    )

  it('says which records need what is not there, or each other', async () => {
    const site = (name: string, needs: string) => ({ name, type: 'site', account: 'widgets', body: { name, remarks: needs } })
    expect(await load([site('one', '@other'), site('other', '@one'), site('third', '@nobody')])).to.equal(
      'These records need others that do not exist, or each other: one (other), other (one), third (nobody)',
    )
    expect(await load([site('one', ''), site('one', '')])).to.equal('Two records of the world have the same name')
  })

  it('says which record is wrong', async () => {
    const message = await load([{ name: 'nowhere', type: 'site', account: 'widgets', body: { country: 'ZZ' } }])
    expect(message).to.equal(
      "nowhere of the world: Validation Failed: 'name' can't be blank, 'country' is not included in the list",
    )
  })
})
