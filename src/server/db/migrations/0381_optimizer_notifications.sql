alter table notification drop constraint notification_kind_check;
alter table notification add constraint notification_kind_check check (kind in ('LAUNCH_FINISHED', 'LAUNCH_FAILED',
  'BUDGET_PACING', 'OUT_OF_BUDGET', 'SPEND_SPIKE', 'NO_SALES', 'PAYMENT_PROBLEM', 'CONNECTION_LOST', 'EXTERNAL_CHANGE',
  'PRODUCT_INELIGIBLE', 'REPORT_READY', 'INVOICE_READY', 'TRIAL_ENDING', 'SEEDING_FINISHED', 'OPTIMIZER_PROPOSAL',
  'OPTIMIZER_STOPPED'));
