import { type Route, route } from '#server/http/route.ts'
import { logEndpoints, optimizerEndpoints, proofEndpoints } from '../contract.ts'
import { approveProposal, rejectProposal } from './answer-proposal.ts'
import { getGroup, listGroups, startGroup, updateGroup } from './group-answers.ts'
import { getLogRow, listLog } from './log.ts'
import { readProof } from './proof.ts'
import { redoDecision } from './redo-decision.ts'
import { previewRestore, stopCampaign, stopGroup } from './restore-group.ts'
import { checkTakeover, takeOver } from './takeover.ts'
import { undoDecision, unpin } from './undo-decision.ts'

export const optimizerRoutes: Route[] = [
  route(optimizerEndpoints.takeover, (ctx, { body }) => takeOver(ctx, body)),
  route(optimizerEndpoints.check, (ctx, { query }) => checkTakeover(ctx, query.campaignIds.split(',').map(Number))),
  route(optimizerEndpoints.groups, ctx => listGroups(ctx)),
  route(optimizerEndpoints.group, (ctx, { params }) => getGroup(ctx, params.id)),
  route(optimizerEndpoints.update, (ctx, { params, body }) => updateGroup(ctx, params.id, body)),
  route(optimizerEndpoints.start, (ctx, { params }) => startGroup(ctx, params.id)),
  route(optimizerEndpoints.restorePreview, (ctx, { params }) => previewRestore(ctx, params.id)),
  route(optimizerEndpoints.stop, (ctx, { params, body }) => stopGroup(ctx, params.id, body)),
  route(optimizerEndpoints.stopCampaign, async (ctx, { query }) => {
    await stopCampaign(ctx, query.campaignId)
    return null
  }),
  route(proofEndpoints.ofGroup, (ctx, { params }) => readProof(ctx, params.id)),
  route(logEndpoints.list, (ctx, { query }) => listLog(ctx, query)),
  route(logEndpoints.get, (ctx, { params }) => getLogRow(ctx, params.id)),
  route(logEndpoints.approve, (ctx, { params, body }) => approveProposal(ctx, params.id, body)),
  route(logEndpoints.reject, (ctx, { params, body }) => rejectProposal(ctx, params.id, body)),
  route(logEndpoints.endPin, async (ctx, { params }) => {
    await unpin(ctx, params.id)
    return null
  }),
  route(logEndpoints.undo, (ctx, { params, body }) => undoDecision(ctx, params.id, body)),
  route(logEndpoints.redo, (ctx, { params }) => redoDecision(ctx, params.id)),
]
