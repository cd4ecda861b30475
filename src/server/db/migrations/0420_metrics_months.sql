-- The tables of facts by month, so that what is too old to keep is dropped instead of deleted, and a month's indexes stay small.
-- A day of which there is no month yet lies in <table>_rest, so that no import can fail for the want of one.

-- Adds the month of a day to one of these tables; the rows of it that lie in <table>_rest move there. False when it is there.
create function add_month(facts text, day date) returns boolean language plpgsql as $$
declare
  first date := date_trunc('month', day);
  next date := date_trunc('month', day) + interval '1 month';
  part text := facts || to_char(date_trunc('month', day), '_YYYY_MM');
  rest text := facts || '_rest';
  early boolean;
begin
  -- Rows that are being written to the rest would be in the way of the month.
  execute format('lock table %I in access exclusive mode', rest);
  if to_regclass(part) is not null then return false; end if;
  execute format('select exists (select 1 from %I where date >= %L and date < %L)', rest, first, next) into early;
  if early then
    execute format('create temporary table early_facts on commit drop as select * from %I where date >= %L and date < %L', rest, first, next);
    execute format('delete from %I where date >= %L and date < %L', rest, first, next);
  end if;
  -- Attached, not created within: that would keep everybody from reading the table meanwhile.
  execute format('create table %I (like %I including defaults)', part, facts);
  -- A month is reached through its table only, whose policy it does not have.
  execute format('revoke all on %I from tideline_app', part);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', facts, part, first, next);
  if early then
    execute format('insert into %I select * from early_facts', facts);
    drop table early_facts;
  end if;
  return true;
end $$;

do $$
declare
  facts record;
  day date;
begin
  -- The account is in the keys now: they find its days as the indexes by account did, which are gone.
  for facts in select * from (values
    ('campaign_day', 'profile_id, date, campaign_id'),
    ('ad_group_day', 'profile_id, date, ad_group_id'),
    ('target_day', 'profile_id, date, target_id'),
    ('search_term_day', 'profile_id, date, target_id, search_term'),
    ('ad_day', 'profile_id, date, ad_id'),
    ('placement_day', 'profile_id, date, campaign_id, placement'),
    ('product_trade_day', 'marketplace_id, date, asin'),
    ('running_sum', 'profile_id, entity, date, key'),
    ('campaign_hour', 'date, campaign_id, hour')
  ) as t (name, key)
  loop
    execute format('alter table %I rename to whole_table', facts.name);
    execute format('create table %I (like whole_table including defaults) partition by range (date)', facts.name);
    execute format('create table %1$I partition of %2$I default', facts.name || '_rest', facts.name);
    execute format('revoke all on %I from tideline_app', facts.name || '_rest');
    -- Days long ago or far ahead, as a wrong clock leaves them, make no months.
    for day in select distinct date_trunc('month', date)::date from whole_table
      where date between now()::date - interval '26 months' and now()::date + interval '3 months'
    loop
      perform add_month(facts.name, day);
    end loop;
    execute format('insert into %I select * from whole_table', facts.name);
    drop table whole_table;
    execute format('alter table %I add primary key (merchant_id, %s)', facts.name, facts.key);
    execute format('alter table %I enable row level security', facts.name);
    execute format('create policy tenant on %I using (merchant_id = any((select current_merchants())::bigint[]))', facts.name);
  end loop;
end $$;

create index campaign_day_campaign on campaign_day (merchant_id, campaign_id, date)
  include (profile_id, impressions, clicks, cost_micros, sales_micros, orders, units);
create index ad_group_day_group on ad_group_day (merchant_id, ad_group_id, date)
  include (profile_id, impressions, clicks, cost_micros, sales_micros, orders, units);
create index search_term_day_group on search_term_day (merchant_id, ad_group_id, date);
create index placement_day_campaign on placement_day (merchant_id, campaign_id, date);

-- The server analyzes months by itself, but not the whole of a table.
analyze campaign_day, ad_group_day, target_day, search_term_day, ad_day, placement_day, product_trade_day, running_sum, campaign_hour;
