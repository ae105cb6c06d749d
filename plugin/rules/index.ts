/** All rules by the names under which definitions use them. Hosts add theirs with the option `rules`. */
import type { RuleBook } from '../schema/define-rule.js'
import { businessUnitsRule } from './business-units.js'
import { labelsOfOwnerRule, refuseWhileRule } from './contact-details.js'
import { copyOnCreateRule, countChangesRule, fallBackToRule, fillWithCallerRule } from './fill.js'
import { mustBeLinkedRule } from './must-be-linked.js'
import { mustFollowRule } from './must-follow.js'
import { noCycleRule } from './no-cycle.js'
import { noOverlapRule } from './no-overlap.js'
import { defaultsOfPersonRule } from './person-defaults.js'
import { publicAddressRule } from './public-address.js'
import { requestTeamRule } from './request-team.js'
import { clearWhenRule, stampRule, whileStatusRule } from './stamp.js'

export interface RuleOptions {
  /** Accepts webhook addresses on private networks. */
  readonly allowPrivateAddresses: boolean
}

/** The book of our rules. */
export function createRules(options: RuleOptions): RuleBook {
  return {
    businessUnits: businessUnitsRule,
    clearWhen: clearWhenRule,
    copyOnCreate: copyOnCreateRule,
    countChanges: countChangesRule,
    defaultsOfPerson: defaultsOfPersonRule,
    fallBackTo: fallBackToRule,
    fillWithCaller: fillWithCallerRule,
    labelsOfOwner: labelsOfOwnerRule,
    mustBeLinked: mustBeLinkedRule,
    mustFollow: mustFollowRule,
    noCycle: noCycleRule,
    noOverlap: noOverlapRule,
    refuseWhile: refuseWhileRule,
    publicAddress: publicAddressRule(options.allowPrivateAddresses),
    requestTeam: requestTeamRule,
    stamp: stampRule,
    whileStatus: whileStatusRule,
  }
}
