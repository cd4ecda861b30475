-- For each day what an entity's metrics add up to from the first of the month, so that the sums of any range are a row or
-- two a month instead of one a day: a list of 10,000 active keywords over 30 days reads 31,000 rows instead of 312,000. An
-- entity has a row for every day from its first figures in a month to the last imported day of that month. Written in the
-- transaction that replaces the days. In the order of the key, so that a day of a list lies together.
create table running_sum (
  merchant_id bigint not null,
  profile_id bigint not null,
  -- Which sums: those of campaigns, ad groups, keywords, other targets or ads, or of all campaigns or ad groups together.
  entity text not null,
  date date not null,
  key bigint not null,
  impressions bigint not null,
  clicks bigint not null,
  cost_micros bigint not null,
  sales_micros bigint not null,
  orders bigint not null,
  units bigint not null,
  primary key (merchant_id, profile_id, entity, date, key)
);
alter table running_sum enable row level security;
create policy tenant on running_sum using (merchant_id = any((select current_merchants())::bigint[]));

do $$
declare
  source record;
begin
  for source in select * from (values
    ('profile', 'campaign_day', 'profile_id', 'true'),
    ('campaign', 'campaign_day', 'campaign_id', 'true'),
    ('profileAdGroups', 'ad_group_day', 'profile_id', 'true'),
    ('adGroup', 'ad_group_day', 'ad_group_id', 'true'),
    ('keyword', 'target_day', 'target_id', '(merchant_id, key) in (select t.merchant_id, t.id from target t where t.kind = ''KEYWORD'')'),
    ('target', 'target_day', 'target_id', '(merchant_id, key) in (select t.merchant_id, t.id from target t where t.kind <> ''KEYWORD'')'),
    ('ad', 'ad_day', 'ad_id', 'true')
  ) as s (entity, facts, key, condition)
  loop
    execute format('
      insert into running_sum
      with fact as materialized (
        select merchant_id, profile_id, %2$I as key, date, to_char(date, ''YYYY-MM'') as month,
          max(date) over (partition by merchant_id, profile_id, to_char(date, ''YYYY-MM'')) as last,
          impressions::bigint, clicks::bigint, cost_micros, sales_micros, orders::bigint, units::bigint
        from %1$I
      ), summed as (
        select merchant_id, profile_id, key, month, min(date) as first, min(last) as last from fact f where %3$s group by 1, 2, 3, 4
      ), step as (
        select merchant_id, profile_id, key, month, date, impressions, clicks, cost_micros, sales_micros, orders, units from fact f where %3$s
        union all
        select merchant_id, profile_id, key, month, d.date::date, 0, 0, 0, 0, 0, 0
        from summed cross join lateral generate_series(first, last, interval ''1 day'') as d(date)
      )
      select * from (
        select merchant_id, profile_id, %4$L, date, key, sum(sum(impressions)) over w, sum(sum(clicks)) over w,
          sum(sum(cost_micros)) over w, sum(sum(sales_micros)) over w, sum(sum(orders)) over w, sum(sum(units)) over w
        from step group by merchant_id, profile_id, key, month, date
        window w as (partition by merchant_id, profile_id, key, month order by date)
      ) s order by merchant_id, profile_id, date, key',
      source.facts, source.key, source.condition, source.entity);
  end loop;
end $$;

drop table target_week;
