import { expect } from 'chai'
import { CallEnd } from '../../plugin/core/call-signal.js'

describe('the end of a call', () => {
  it('is told to each listener once, with its reason, as by an AbortSignal', () => {
    const [end, controller] = [new CallEnd(), new AbortController()]
    const heard: string[] = []
    const late = new Error('late')
    for (const [name, signal] of Object.entries({ own: end, real: controller.signal })) {
      const removed = () => heard.push(`${name} removed`)
      signal.addEventListener('abort', () => heard.push(`${name} ${signal.aborted} ${signal.reason === late}`))
      signal.addEventListener('abort', removed)
      signal.removeEventListener('abort', removed)
      expect(() => signal.throwIfAborted()).to.not.throw()
    }
    for (const one of [end, controller]) {
      one.abort(late)
      one.abort(new Error('again'))
    }
    expect(heard).to.deep.equal(['own true true', 'real true true'])
    for (const signal of [end, controller.signal]) {
      signal.addEventListener('abort', () => heard.push('never'))
      expect(() => signal.throwIfAborted()).to.throw(late)
    }
    expect(heard).to.have.length(2)
  })

  it('reaches a listener that another listener removes too late or adds', () => {
    const end = new CallEnd()
    const heard: number[] = []
    end.addEventListener('abort', () => end.addEventListener('abort', () => heard.push(3)))
    end.addEventListener('abort', () => heard.push(1))
    end.abort(new Error('late'))
    expect(heard).to.deep.equal([1])
  })
})
