/** Equal for every merchant: a copy on every node. Tables with a merchant_id that are in no list are spread over the workers. */
export const referenceTables: readonly string[] = ['exchange_rate']

/**
 * On the coordinator, but in the cluster's metadata: written with every change of a merchant's rows, so that a transaction
 * that writes on a worker writes on the coordinator too and commits in two phases, with whatever else the coordinator keeps.
 */
export const managedTables: readonly string[] = ['tenant_version']

export const localTables: readonly string[] = [
  'account',
  'account_role',
  'session',
  'manager_limit',
  'manager_assignment',
  'managed_call',
  'managed_call_head',
  'managed_call_break',
  'refresh_token',
  'auth_attempt',
  'mail_outbox',
  'auth_token',
  'membership',
  'invitation',
  'seller_claim',
  'oauth_state',
  'subscription',
  'billing_snapshot',
  'affiliate',
  'affiliate_referral',
  'affiliate_commission',
  'branding_profile',
  'subscription_phase',
  // Referred to by local tables only: as a reference table it would draw all of them into the cluster's metadata.
  'plan',
  'checkout',
  'payment_event',
  'payment_event_cursor',
  'invoice',
  'billing_profile',
  'billing_run',
  'billing_line',
  'payment_dispute',
  'notification',
  'notification_token',
  'notification_preference',
  'notification_rhythm',
  'onboarding_survey',
  'push_subscription',
  'saved_view',
  'push_delivery',
  'stream_unplaced',
  'idempotency_key',
  'call_quota',
  'told_job_death',
  'kysely_migration',
  'kysely_migration_lock',
]
