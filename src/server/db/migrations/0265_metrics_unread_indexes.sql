-- Nothing reads days by target, by their ad group or by ad any more, since the running sums: these indexes cost nearly half of
-- writing a day of half a million targets.
drop index target_day_target;
drop index target_day_group;
drop index ad_day_ad;
