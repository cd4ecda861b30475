-- A function is unsafe for parallel workers unless it says otherwise, and one in a policy forbids them to every statement of a
-- tenant. It only reads a setting, which workers get from the leader.
alter function current_merchants() parallel safe;
