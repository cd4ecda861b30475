import { z } from 'zod'
import type { RoasRule } from '../../core/model/rules.ts'
import { newEntityId } from '../../core/new-id.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { invalidArgument } from '../ads-failure.ts'
import type { Call } from '../calls.ts'
import { vendorType } from '../media-types.ts'
import { bodyOf, campaignOf, ownRules, ruleOf } from './rule-body.ts'

// The rules that campaigns with the strategy RULE_BASED need, as in public clients of the vendor's API. What the rules do is
// the vendor's help page on bidding rules. Not emulated: eligibility, notifications, and conditions other than one ROAS.

const fields = {
  ruleName: z.string().max(355).default(''),
  ruleType: z.literal('BID'),
  ruleAction: z.literal('ADOPT'),
  recurrence: z.literal('DAILY'),
  ruleCondition: z
    .array(
      z.object({
        metricName: z.literal('ROAS'),
        comparisonOperator: z.literal('GREATER_THAN_OR_EQUAL_TO'),
        threshold: z.number().positive(),
      }),
    )
    .length(1),
  campaignIds: z.array(z.string()).min(1).max(20),
}
const creation = z.object(fields)
const update = z.object({ ...fields, campaignOptimizationId: z.string() })

/** The stored fields. Throws 404 for a campaign that is not the caller's, 400 for one that has a rule already. */
function fieldsOf({ ruleName, ruleCondition, campaignIds }: z.output<typeof creation>, caller: AdsCaller, id = '') {
  const others = ownRules(caller.world.store.roasRules, caller).filter(rule => rule.campaignOptimizationId !== id)
  for (const campaignId of campaignIds) {
    campaignOf(caller, campaignId)
    if (others.some(rule => rule.campaignIds.includes(campaignId)))
      throw invalidArgument(`Campaign ${campaignId} has a rule already`)
  }
  return { name: ruleName, roas: ruleCondition[0]?.threshold ?? 0, campaignIds }
}

function save(caller: AdsCaller, rule: RoasRule): object {
  const { campaignOptimizationId } = rule
  caller.world.change(store => store.roasRules.set(campaignOptimizationId, rule))
  return { campaignOptimizationId, code: 'SUCCESS', details: '' }
}

const toWire = ({ campaignOptimizationId, name, roas, campaignIds, createdAt }: RoasRule): object => ({
  campaignOptimizationId,
  ruleName: name,
  ruleType: 'BID',
  ruleAction: 'ADOPT',
  recurrence: 'DAILY',
  ruleStatus: 'ACTIVE',
  ruleCondition: [{ metricName: 'ROAS', comparisonOperator: 'GREATER_THAN_OR_EQUAL_TO', threshold: roas }],
  campaignIds,
  createdDate: new Date(createdAt).toISOString(),
})

const path = '/sp/rules/campaignOptimization'
const media = { takes: [vendorType('optimizationrules', 'v1')], plain: 'always' } as const

export const roasRuleCalls: readonly Call[] = [
  {
    path,
    media,
    answer(caller, body) {
      const at = caller.now.getTime()
      const ids = { campaignOptimizationId: newEntityId(), profileId: caller.profile.profileId }
      return save(caller, { ...ids, ...fieldsOf(bodyOf(creation, body), caller), createdAt: at, updatedAt: at })
    },
  },
  {
    method: 'PUT',
    path,
    media,
    answer(caller, body) {
      const sent = bodyOf(update, body)
      const rule = ruleOf(caller.world.store.roasRules, caller, sent.campaignOptimizationId)
      const changed = fieldsOf(sent, caller, rule.campaignOptimizationId)
      return save(caller, { ...rule, ...changed, updatedAt: caller.now.getTime() })
    },
  },
  {
    method: 'GET',
    path: `${path}/:ruleId`,
    answer: (caller, _body, { params: { ruleId } }) => ({
      campaignOptimizationRule: toWire(ruleOf(caller.world.store.roasRules, caller, ruleId)),
    }),
  },
  {
    method: 'DELETE',
    path: `${path}/:ruleId`,
    answer(caller, _body, { params: { ruleId } }) {
      const { campaignOptimizationId } = ruleOf(caller.world.store.roasRules, caller, ruleId)
      caller.world.change(store => store.roasRules.delete(campaignOptimizationId))
      return { campaignOptimizationId, code: 'SUCCESS', details: '' }
    },
  },
]
