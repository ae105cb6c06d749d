/** All rules by the names under which definitions use them. Hosts add theirs with the option `rules`. */
import type { RuleBook } from '../schema/define-rule.js'
import { agreesWithOwnerRule } from './agrees-with-owner.js'
import { fillWithCallerWhenRule, fillWithHolderRule, fillWithTeamOfRule } from './assignees.js'
import { businessUnitsRule } from './business-units.js'
import { onlyWhileRule, requiredWhenRule } from './by-status.js'
import { changedByRule } from './changed-by.js'
import { generatedLabelRule, nameOfProductRule, onlyForCertificatesRule, serialNumberOfBrandRule } from './cis.js'
import { completedByReasonRule } from './completion.js'
import { keepDigitsRule, labelsOfOwnerRule, refuseWhileRule } from './contact-details.js'
import { countUsesRule } from './count-uses.js'
import { copyOnCreateRule, countChangesRule, fallBackToRule, fillWithCallerRule } from './fill.js'
import { fillFromRule } from './fill-from.js'
import { fillWithNowRule, fillWithTimeZoneRule, keepMomentRule } from './local-times.js'
import { notLockedRule } from './locked-dates.js'
import { mirroredRule } from './mirrored.js'
import { mustBeLinkedRule } from './must-be-linked.js'
import { mustFollowRule } from './must-follow.js'
import { mustHaveRoleRule } from './must-have-role.js'
import { noCycleRule } from './no-cycle.js'
import { noOverlapRule } from './no-overlap.js'
import { notOfferedRule } from './not-offered.js'
import { notBothRule, pendingWithRule } from './pending.js'
import { defaultsOfPersonRule } from './person-defaults.js'
import {
  clearedOnRemovalRule,
  fillWithPositionRule,
  mustBePartOfRule,
  removableWhileRule,
  removableWithoutRule,
} from './phases.js'
import { fixedWhileUsedRule, productNameRule, valueByRule } from './products.js'
import { costsOfProjectRule, defaultsOfProjectRule } from './projects.js'
import { publicAddressRule } from './public-address.js'
import { ratedByRule } from './rated-by.js'
import { recurringRule } from './recurring.js'
import { referenceOfRule } from './reference-of.js'
import { requestTeamRule } from './request-team.js'
import { resetWithRule } from './reset-with.js'
import { clearWhenRule, stampRule, whileStatusRule } from './stamp.js'
import { needsChangeManagerRule } from './started-changes.js'
import { allocationOfTimeEntryRule, personOfTimeEntryRule, positiveUnlessRule } from './time-entries.js'
import { timeSpentRule } from './time-spent.js'
import { alsoTextOfOwnerRule, alsoTranslationRule, fillWithLocaleRule } from './translations.js'
import { uiExtensionVersionsRule } from './ui-extension-versions.js'
import { valuesOnlyWithRule } from './values-only-with.js'

export interface RuleOptions {
  /** Accepts webhook addresses on private networks. */
  readonly allowPrivateAddresses: boolean
  /** Networks that webhooks may reach although they are not public, `10.1.0.0/16`. */
  readonly allowNetworks?: readonly string[]
}

/** The book of our rules. */
export function createRules(options: RuleOptions): RuleBook {
  return {
    agreesWithOwner: agreesWithOwnerRule,
    allocationOfTimeEntry: allocationOfTimeEntryRule,
    alsoTextOfOwner: alsoTextOfOwnerRule,
    alsoTranslation: alsoTranslationRule,
    businessUnits: businessUnitsRule,
    changedBy: changedByRule,
    clearedOnRemoval: clearedOnRemovalRule,
    clearWhen: clearWhenRule,
    completedByReason: completedByReasonRule,
    copyOnCreate: copyOnCreateRule,
    costsOfProject: costsOfProjectRule,
    countChanges: countChangesRule,
    countUses: countUsesRule,
    defaultsOfPerson: defaultsOfPersonRule,
    defaultsOfProject: defaultsOfProjectRule,
    fallBackTo: fallBackToRule,
    fillFrom: fillFromRule,
    fillWithCaller: fillWithCallerRule,
    fillWithCallerWhen: fillWithCallerWhenRule,
    fillWithHolder: fillWithHolderRule,
    fillWithLocale: fillWithLocaleRule,
    fillWithNow: fillWithNowRule,
    fillWithPosition: fillWithPositionRule,
    fillWithTeamOf: fillWithTeamOfRule,
    fillWithTimeZone: fillWithTimeZoneRule,
    fixedWhileUsed: fixedWhileUsedRule,
    generatedLabel: generatedLabelRule,
    keepDigits: keepDigitsRule,
    keepMoment: keepMomentRule,
    labelsOfOwner: labelsOfOwnerRule,
    mirrored: mirroredRule,
    mustBeLinked: mustBeLinkedRule,
    mustBePartOf: mustBePartOfRule,
    mustFollow: mustFollowRule,
    mustHaveRole: mustHaveRoleRule,
    nameOfProduct: nameOfProductRule,
    needsChangeManager: needsChangeManagerRule,
    noCycle: noCycleRule,
    noOverlap: noOverlapRule,
    notBoth: notBothRule,
    notLocked: notLockedRule,
    notOffered: notOfferedRule,
    onlyForCertificates: onlyForCertificatesRule,
    onlyWhile: onlyWhileRule,
    pendingWith: pendingWithRule,
    personOfTimeEntry: personOfTimeEntryRule,
    positiveUnless: positiveUnlessRule,
    productName: productNameRule,
    publicAddress: publicAddressRule(options.allowPrivateAddresses, options.allowNetworks),
    ratedBy: ratedByRule,
    recurring: recurringRule,
    referenceOf: referenceOfRule,
    refuseWhile: refuseWhileRule,
    removableWhile: removableWhileRule,
    removableWithout: removableWithoutRule,
    requestTeam: requestTeamRule,
    requiredWhen: requiredWhenRule,
    resetWith: resetWithRule,
    serialNumberOfBrand: serialNumberOfBrandRule,
    stamp: stampRule,
    timeSpent: timeSpentRule,
    uiExtensionVersions: uiExtensionVersionsRule,
    valueBy: valueByRule,
    valuesOnlyWith: valuesOnlyWithRule,
    whileStatus: whileStatusRule,
  }
}
