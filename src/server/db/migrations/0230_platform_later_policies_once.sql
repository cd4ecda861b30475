-- The policies that were added since 0190 in the old way; new ones are written with the subquery.
do $$
declare
  found record;
begin
  for found in
    select p.polname as policy, c.oid::regclass as relation, pg_get_expr(p.polqual, p.polrelid) as condition
    from pg_policy p join pg_class c on c.oid = p.polrelid
    where pg_get_expr(p.polqual, p.polrelid) like '%ANY (current_merchants())%'
  loop
    execute format('alter policy %I on %s using %s', found.policy, found.relation,
      replace(found.condition, 'ANY (current_merchants())', 'ANY ((select current_merchants())::bigint[])'));
  end loop;
end $$;
