-- The products that a report about products is limited to; null: all of them.
alter table performance_report add column asins text[];
alter table report_schedule add column asins text[];

-- The campaign manager who requested the report for `account_id`: it is that manager's alone, and not among the merchant's own.
-- Across merchants, so that the managers' page finds them.
alter table performance_report add column manager_id bigint;
create index performance_report_manager on performance_report (manager_id, id) where manager_id is not null;
