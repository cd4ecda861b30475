-- How many targets of each kind, state, match type and ad type a campaign has, and, where there is no campaign, how many the
-- account has: the length of a list of half a million is the sum of a few rows. What is in something archived is archived.
-- The statements that write targets do not count. They name the campaigns that they touched, whose targets are counted row by
-- row until a job has counted them again; so no writer waits for another, and a count is never older than its rows.
create table target_count (
  merchant_id bigint not null,
  profile_id bigint not null,
  -- Null for all campaigns of the account together. An account that was never counted has no such row.
  campaign_id bigint,
  kind text not null,
  state text not null,
  match_type text,
  ad_type text not null,
  count bigint not null
);
create index target_count_campaign on target_count (merchant_id, profile_id, campaign_id);
alter table target_count enable row level security;
create policy tenant on target_count using (merchant_id = any((select current_merchants())::bigint[]));

create table target_count_stale (
  merchant_id bigint not null,
  profile_id bigint not null,
  campaign_id bigint not null
);
create index target_count_stale_campaign on target_count_stale (merchant_id, profile_id, campaign_id);
alter table target_count_stale enable row level security;
create policy tenant on target_count_stale using (merchant_id = any((select current_merchants())::bigint[]));

insert into target_count
  select t.merchant_id, t.profile_id, t.campaign_id, t.kind,
    case when 'ARCHIVED' in (g.state, c.state) then 'ARCHIVED' else t.state end as state, t.match_type, t.ad_type, count(*)
  from target t join ad_group g on g.merchant_id = t.merchant_id and g.id = t.ad_group_id
    join campaign c on c.merchant_id = g.merchant_id and c.id = g.campaign_id
  group by 1, 2, 3, 4, 5, 6, 7;
insert into target_count
  select merchant_id, profile_id, null, kind, state, match_type, ad_type, sum(count)
  from target_count group by 1, 2, 4, 5, 6, 7;
