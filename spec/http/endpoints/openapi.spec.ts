/** The OpenAPI document of an instance is made once, after the start or for the first call, without stopping other calls. */
import { expect } from 'chai'
import { openapi } from '../../../plugin/http/endpoints/openapi.js'
import { createPlugin } from '../../../plugin/index.js'
import { TEST_SECRET } from '../../support/settings.js'

const baseUrl = 'https://desk.example/v1'
const { catalog } = createPlugin({ baseUrl, secret: TEST_SECRET, database: { url: 'mysql://nobody@nowhere.example/none' } })

describe('http/endpoints/openapi', () => {
  /** The work that the endpoint wants to be done after the start. */
  function preparation(): () => Promise<unknown> {
    const works: (() => Promise<unknown>)[] = []
    openapi({ catalog, baseUrl, afterStart: (work) => void works.push(work) }, [])
    const [work] = works
    if (!work || works.length > 1) throw new Error('The endpoint prepares itself by one work')
    return work
  }

  it('is made once, however often it is asked for', async () => {
    const prepare = preparation()
    const [one, other] = [prepare(), prepare()]
    expect(one).to.equal(other)
    expect(JSON.parse(String(await one)).openapi).to.equal('3.1.0')
    expect(prepare()).to.equal(one)
  })

  it('lets other calls be answered meanwhile', async () => {
    let turns = 0
    let isOver = false
    const others = () => {
      turns++
      if (!isOver) setImmediate(others)
    }
    setImmediate(others)
    await preparation()()
    isOver = true
    expect(turns).to.be.above(5)
  })

  it('is tried again for the next call after a failure', async () => {
    let isBroken = true
    const deps = {
      baseUrl,
      get catalog() {
        if (isBroken) throw new Error('Not yet')
        return catalog
      },
    }
    const works: (() => Promise<unknown>)[] = []
    const afterStart = (work: () => Promise<unknown>) => void works.push(work)
    openapi(Object.assign(deps, { afterStart }), [])
    expect(await works[0]?.().catch((error: Error) => error.message)).to.equal('Not yet')
    isBroken = false
    expect(String(await works[0]?.())).to.include('"openapi":"3.1.0"')
  })
})
