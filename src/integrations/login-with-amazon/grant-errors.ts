import { UpstreamError } from '#server/http-client/upstream-errors.ts'

/** The person took the permission back, or the code was used, expired or meant for another address. */
export class GrantRevoked extends UpstreamError {}
/** Our own client id or secret is rejected. No user can fix this; the operator must be alerted. */
export class ClientRejected extends UpstreamError {}
