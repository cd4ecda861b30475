import type { Exception } from './report.ts'

const everyMerchant = 'a job for all merchants: every server looks at its own rows'
const some =
  'of several merchants at once where a user or a job is about several; of one merchant the statement names it'

const accept =
  (why: string, ...rules: Exception['rules']) =>
  (from: string | string[], ...what: string[]): Exception => ({
    from: [from].flat().map(file => `src/features/${file}.ts`),
    rules,
    what,
    why,
  })

const forAll = accept(everyMerchant, 'untied')

/** Statements that are meant to ask several servers. */
export const exceptions: readonly Exception[] = [
  // One statement that all of these send.
  accept(some, 'many')(
    ['consent/ads-consent', 'consent/connect-seller', 'current-choice', 'profiles'].map(
      file => `accounts/server/${file}`,
    ),
    'ads_profile',
    'connection',
    'merchant',
  ),
  accept(some, 'untied')('alerts/server/apply-alerts', 'alert', 'alert_tolerance'),
  accept(some, 'correlated')('metrics/server/sql/freshness', 'campaign'),
  accept('whose a connection is: looked up once by each process', 'untied')('accounts/server/tokens', 'connection'),
  forAll('accounts/server/purge-merchants.job', 'merchant'),
  forAll('alerts/server/account-alerts', 'alert', 'connection', 'merchant'),
  forAll('alerts/server/jobs', 'alert'),
  forAll('budget-rescue/server/sql', 'budget_rescue'),
  forAll(
    'metrics/server/jobs',
    'campaign_budget_usage',
    'reconciliation',
    'report_request',
    'report_row',
    'stream_record',
  ),
  forAll(
    'metrics/server/sql/fact-months',
    ...['campaign', 'ad_group', 'target', 'search_term', 'ad', 'placement', 'product_trade'].map(
      of => `${of}_day_rest`,
    ),
    'running_sum_rest',
    'campaign_hour_rest',
    'metrics_state',
    'product_trade_pull',
    'trade_day',
  ),
  forAll('metrics/server/sql/reconciliation', 'reconciliation'),
  forAll('metrics/server/sql/revisions', 'day_delta', 'day_revision'),
  forAll('onboarding/server/jobs/refresh-profile.job', 'refresh_state'),
  forAll('optimizer/server/groups', 'ads_profile', 'optimizer_group'),
  forAll('optimizer/server/run-group.job', 'metrics_state', 'optimizer_group', 'optimizer_run'),
  forAll('optimizer/server/settle-decisions.job', 'optimizer_decision'),
  forAll('reports/server/request-report', 'report_schedule', 'performance_report', 'performance_report_part'),
  // A message of the stream names a campaign and nobody whose it is.
  forAll('structure/server/sql/find-rows', 'campaign'),
  forAll('structure/server/sql/pending-rows', 'campaign', 'ad_group', 'product_ad', 'target', 'negative'),
  forAll('structure/server/sql/shown-rows', 'newly_shown'),
  forAll('structure/server/sql/sync-state', 'structure_sync', 'target_count', 'target_count_stale'),
  accept('a campaign manager’s list of everybody’s reports', 'untied', 'correlated')(
    'reports/server/admin-reports',
    'performance_report',
    'ads_profile',
  ),
  accept('what a user leaves behind, of any merchant', 'untied')(
    'erasure/server/erase-accounts.job',
    'budget_rescue',
    'campaign_draft',
    'connection',
    'cost_import',
    'entity_change',
    'launch',
    'optimizer_decision',
    'optimizer_group',
    'performance_report',
    'performance_report_part',
    'report_schedule',
  ),
  accept('what a user takes along, of any merchant', 'untied')(
    'data-export/server/export-data',
    'performance_report',
    'report_schedule',
  ),
]
