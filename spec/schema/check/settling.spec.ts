import { expect } from 'chai'
import { InvalidDefinition } from '../../../plugin/core/errors.js'
import { defineRecord, extendRecord, follow, identity, integer, part, ref, string } from '../../../plugin/index.js'
import { compile } from '../../../plugin/schema/compile/compile.js'
import type { Settling, SettlingSource } from '../../../plugin/schema/language/define-settling.js'

const collection = { fields: 'id', sort: 'id', filterable: 'id' } as const
const access = { create: [], update: [] }
const decide = () => ({})

const stageWith = (...settle: readonly Settling[]) =>
  defineRecord('stage', {
    path: 'stages',
    fields: {
      ...identity,
      name: string(20),
      minutes: integer(),
      rider: part('rider'),
      near: ref('stage'),
      hours: ref('calendar'),
    },
    collection,
    access,
    parts: ['rider'],
    links: { neighbours: { record: 'stage', table: 'neighbours', from: 'stage_id', to: 'neighbour_id' } },
    settle,
  })
const act = defineRecord('act', {
  path: 'acts',
  title: null,
  fields: {
    ...identity,
    stage: ref('stage'),
    place: ref('stage', { derived: { from: 'stage.near', as: 'value' } }),
    length: integer(),
  },
  collection,
  access,
})
const rider = defineRecord('rider', {
  path: 'riders',
  title: null,
  partOf: ['stage'],
  fields: { ...identity, towels: integer() },
  collection,
  access,
})

const calendar = defineRecord('calendar', { path: 'calendars', title: null, fields: { ...identity }, collection, access })

const mistakes = (settle: readonly unknown[], extend: Parameters<typeof compile>[1] = []) => {
  try {
    compile([stageWith(...(settle as readonly Settling[])), act, rider, calendar], extend)
    return []
  } catch (error) {
    if (error instanceof InvalidDefinition) return error.mistakes
    throw error
  }
}
const of = (source: object, more: object = {}) => [
  follow('programme', { of: { acts: source as SettlingSource }, decide, ...more }),
]

describe('settlings in definitions', () => {
  const good = follow('programme', {
    of: { acts: { type: 'act', by: 'stage' } },
    fields: ['minutes'],
    fills: ['minutes'],
    decide,
  })

  it('are printed with their data', () => {
    expect(JSON.parse(JSON.stringify(good))).to.deep.equal({
      settle: 'programme',
      of: { acts: { type: 'act', by: 'stage' } },
      fields: ['minutes'],
      fills: ['minutes'],
      moves: {},
      keeps: {},
      otherwise: {},
    })
    expect(mistakes([good])).to.deep.equal([])
  })

  it('are derived into the owners that each change settles', () => {
    const { settling } = compile([stageWith(good), act, rider, calendar], [])
    expect(settling.records.get('act')).to.deep.equal([
      { owner: 'stage', steps: [{ column: 'stage_id', type: 'stage', isPart: false }] },
    ])
    expect(settling.records.get('stage')).to.deep.equal([{ owner: 'stage', steps: [] }])
    expect(settling.records.has('rider')).to.equal(false)
  })

  it('read calendars without following them', () => {
    const hours = { calendars: ['hours'] }
    const withHours = follow('programme', { of: { acts: { type: 'act', by: 'stage' }, hours }, decide })
    const { settling } = compile([stageWith(withHours), act, rider, calendar], [])
    expect([...settling.records.keys()]).to.deep.equal(['stage', 'act'])
    expect(settling.links).to.deep.equal([])
  })

  it('are refused by follow when they cannot be settlings', () => {
    expect(() => follow('', { of: {}, decide })).to.throw(TypeError, "the name must be a text, not ''")
    expect(() => follow('programme', { of: {} } as never)).to.throw(TypeError, 'decide must be a function, not undefined')
    expect(() => follow('programme', undefined as never)).to.throw(TypeError, 'decide must be a function, not undefined')
  })

  for (const [name, settle, says] of [
    [
      'a type that is not there',
      of({ type: 'acts', by: 'stage' }),
      ".of.acts.type: there is no record type 'acts'; did you mean 'act'?",
    ],
    [
      'a field that is not there',
      of({ type: 'act', by: 'stages' }),
      ".of.acts.by: act has no field 'stages'; did you mean 'stage'?",
    ],
    [
      'a field that refers to nothing',
      of({ type: 'act', by: 'length' }),
      ".of.acts.by: 'length' of act must be a stored reference to stage",
    ],
    [
      'a condition on a field that is not there',
      of({ type: 'act', by: 'stage', where: { lenght: 3 } }),
      ".of.acts.where: 'lenght': act has no field 'lenght'; did you mean 'length'?",
    ],
    [
      'a field that is shown only',
      of({ type: 'act', by: 'place' }),
      ".of.acts.by: 'place' of act must be a stored reference to stage",
    ],
    ['a part of others', of({ part: 'act' }), '.of.acts.part: records of act are not sub-records of stage'],
    [
      'a link that is not there',
      of({ link: 'neighbors' }),
      ".of.acts.link: stage has no link 'neighbors'; did you mean 'neighbours'?",
    ],
    [
      'a base that is not there',
      of({ part: 'rider', of: 'act' }),
      ".of.acts.of: there is no source 'act' of records before this one",
    ],
    [
      'a base that is itself',
      of({ part: 'rider', of: 'acts' }),
      ".of.acts.of: there is no source 'acts' of records before this one",
    ],
    [
      'two kinds',
      of({ part: 'rider', link: 'neighbours' }),
      '[0].of.acts: must have either type and by, or part, or link, or refersTo, or calendars',
    ],
    [
      'half a kind',
      of({ type: 'act' }),
      '[0].of.acts: must have either type and by, or part, or link, or refersTo, or calendars',
    ],
    ['a reference that is not there', of({ refersTo: 'venues' }), ".of.acts.refersTo: stage has no field 'venues'"],
    [
      'a reference that is none',
      of({ refersTo: 'minutes' }),
      ".of.acts.refersTo: 'minutes' of stage must be a stored reference",
    ],
    ['calendars in no text', of({ calendars: 3 }), '[0].of.acts.calendars: must be'],
    [
      'calendars in a field that is not there',
      of({ calendars: ['hour', 'name'] }),
      ".of.acts.calendars: stage has no field 'hour'; did you mean 'hours'?",
    ],
    [
      'calendars in a field of something else',
      of({ calendars: 'near' }),
      ".of.acts.calendars: 'near' of stage must be a stored reference to a calendar",
    ],
    [
      'a base of calendars',
      [follow('programme', { of: { hours: { calendars: 'hours' }, riders: { part: 'rider', of: 'hours' } }, decide })],
      ".of.riders.of: there is no source 'hours' of records before this one",
    ],
    ['a name that is not known', of({ part: 'rider', from: 'x' }), "[0].of.acts: there is no 'from' in a source of a settling"],
    ['nothing to follow', [follow('programme', { of: {}, decide })], '.of: must not be empty'],
    [
      'a reserved name',
      [follow('programme', { of: { owner: { part: 'rider' } }, decide })],
      '.of.owner: the name of a source must be lower case',
    ],
    [
      'fields that are not there',
      of({ part: 'rider' }, { fields: ['minute'] }),
      ".fields: there is no field 'minute'; did you mean 'minutes'?",
    ],
    ['fills that are not stored', of({ part: 'rider' }, { fills: ['rider'] }), ".fills: 'rider' cannot be compared"],
    ['two of a name', [good, good], ': the name is used twice; choose another one'],
    ['something else', [{ settle: 'programme' }], "[0]: must be made with follow('name', { of, decide })"],
    ['no object', ['programme'], "[0]: must be made with follow('name', { of, decide })"],
  ] as const) {
    it(`are reported with ${name}`, () => {
      const [first = ''] = mistakes(settle)
      expect(first).to.include(`stage.settle${says.startsWith('[') ? '' : '.programme'}${says}`)
    })
  }

  it('come from extensions as well, each name once', () => {
    const extension = extendRecord('stage', { settle: [good] })
    expect(mistakes([], [extension])).to.deep.equal([])
    expect(mistakes([good], [extension])).to.deep.equal([
      "extension of stage: settle: 'programme' exists already, from stage; extensions cannot replace anything",
    ])
    const wrong = extendRecord('stage', { settle: of({ part: 'act' }) })
    expect(mistakes([], [wrong])[0]).to.match(/^extension of stage: settle\.programme\.of\.acts\.part: records of act/)
  })
})
