import { type Route, route } from '#server/http/route.ts'
import { clientsEndpoints as clients } from '../clients-contract.ts'
import { invitationEndpoints as invitation, teamEndpoints as team } from '../contract.ts'
import { accept, decline, openInvitation, registerAndAccept } from './answer-invitation.ts'
import { getClients } from './get-clients.ts'
import { invite, resend, restore, revoke } from './invite.ts'
import { getTeam, removeMember } from './members.ts'

// A token has 256 bits; this only spares the database, and the processor that hashes passwords.
const rateLimit = { max: 30, windowSeconds: 60 }

export const teamRoutes: Route[] = [
  route(team.team, ctx => getTeam(ctx)),
  route(team.invite, (ctx, { body }) => invite(ctx, body)),
  route(team.resend, (ctx, { params }) => resend(ctx, params.id)),
  route(team.revoke, (ctx, { params }) => revoke(ctx, params.id)),
  route(team.restore, (ctx, { params }) => restore(ctx, params.id)),
  route(team.removeMember, (ctx, { params }) => removeMember(ctx, params)),
  route(invitation.open, (ctx, { body }) => openInvitation(ctx, body.token), { rateLimit }),
  route(invitation.register, (ctx, { body }) => registerAndAccept(ctx, body), { rateLimit }),
  route(invitation.accept, (ctx, { body }) => accept(ctx, body.token), { rateLimit }),
  route(invitation.decline, (ctx, { body }) => decline(ctx, body.token), { rateLimit }),
]

/** On the clock of the figures, unlike what mails and sessions count by. */
export const clientsRoutes: Route[] = [route(clients.list, ctx => getClients(ctx))]
