;; Finds where grams of up to four units may stand: eight buckets of them, recognised by the nibbles of each unit's
;; low byte, then by one bit of a filter for the hash of a gram. Memory: 0 masks, 128 candidates of a block, 1024 the filter.
(module
  (memory (export "memory") 4)
  ;; Looks at the units from $at to $end; writes each candidate to $out, and stops at $full.
  ;; $kinds: the buckets of grams of four, three and two units, and of grams that need no filter, a byte each.
  ;; Returns where writing ended; the place where reading ended is at 144.
  (func (export "scan") (param $at i32) (param $end i32) (param $out i32) (param $full i32) (param $shift i32) (param $kinds i32) (result i32)
    (local $lo0 v128) (local $hi0 v128) (local $lo1 v128) (local $hi1 v128)
    (local $lo2 v128) (local $hi2 v128) (local $lo3 v128) (local $hi3 v128)
    (local $low v128) (local $zero v128)
    (local $v v128) (local $c v128) (local $bits i32) (local $place i32) (local $gram i32) (local $nth i32) (local $bit i32)
    (local $unfiltered i32) (local $pairs i32)
    (local.set $unfiltered (i32.shr_u (local.get $kinds) (i32.const 24)))
    ;; Blocks that may still pass by their first two units: one in sixteen, and two more. After these, all four are always compared.
    (local.set $pairs (i32.add (i32.shr_u (i32.sub (local.get $end) (local.get $at)) (i32.const 8)) (i32.const 2)))
    (local.set $low (v128.const i8x16 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15))
    (local.set $lo0 (v128.load offset=0 (i32.const 0)))
    (local.set $hi0 (v128.load offset=16 (i32.const 0)))
    (local.set $lo1 (v128.load offset=32 (i32.const 0)))
    (local.set $hi1 (v128.load offset=48 (i32.const 0)))
    (local.set $lo2 (v128.load offset=64 (i32.const 0)))
    (local.set $hi2 (v128.load offset=80 (i32.const 0)))
    (local.set $lo3 (v128.load offset=96 (i32.const 0)))
    (local.set $hi3 (v128.load offset=112 (i32.const 0)))
    (block $stop
      (loop $blocks
        (br_if $stop (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $v (v128.load offset=0 (local.get $at)))
        (local.set $c (v128.and
          (i8x16.swizzle (local.get $lo0) (v128.and (local.get $v) (local.get $low)))
          (i8x16.swizzle (local.get $hi0) (v128.and (i16x8.shr_u (local.get $v) (i32.const 4)) (local.get $low)))))
        (local.set $v (v128.load offset=1 (local.get $at)))
        (local.set $c (v128.and (local.get $c) (v128.and
          (i8x16.swizzle (local.get $lo1) (v128.and (local.get $v) (local.get $low)))
          (i8x16.swizzle (local.get $hi1) (v128.and (i16x8.shr_u (local.get $v) (i32.const 4)) (local.get $low))))))
        (block $next
          (if (local.get $pairs)
            (then
              (br_if $next (i32.eqz (v128.any_true (local.get $c))))
              (local.set $pairs (i32.sub (local.get $pairs) (i32.const 1)))))
          (local.set $v (v128.load offset=2 (local.get $at)))
          (local.set $c (v128.and (local.get $c) (v128.and
            (i8x16.swizzle (local.get $lo2) (v128.and (local.get $v) (local.get $low)))
            (i8x16.swizzle (local.get $hi2) (v128.and (i16x8.shr_u (local.get $v) (i32.const 4)) (local.get $low))))))
          (local.set $v (v128.load offset=3 (local.get $at)))
          (local.set $c (v128.and (local.get $c) (v128.and
            (i8x16.swizzle (local.get $lo3) (v128.and (local.get $v) (local.get $low)))
            (i8x16.swizzle (local.get $hi3) (v128.and (i16x8.shr_u (local.get $v) (i32.const 4)) (local.get $low))))))
          (br_if $next (i32.eqz (v128.any_true (local.get $c))))
          (local.set $bits (i8x16.bitmask (i8x16.ne (local.get $c) (local.get $zero))))
          (if (local.get $unfiltered) (then (v128.store offset=128 (i32.const 0) (local.get $c))))
          (loop $lanes
            (local.set $nth (i32.ctz (local.get $bits)))
            (local.set $bits (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))
            (local.set $place (i32.add (local.get $at) (local.get $nth)))
            (local.set $gram (i32.or (i32.load (local.get $place)) (i32.const 0x20202020)))
            ;; These branches go the same way at all places, so the processor predicts them; branches on the place's bucket it would mispredict.
            (block $hit
              (if (local.get $unfiltered)
                (then (br_if $hit (i32.and (local.get $unfiltered) (i32.load8_u offset=128 (local.get $nth))))))
              (if (i32.and (local.get $kinds) (i32.const 0xff))
                (then
                  (br_if $hit
                    (i32.and
                      (i32.shr_u
                        (i32.load8_u offset=1024
                          (i32.shr_u
                            (local.tee $bit
                              (i32.shr_u (i32.mul (local.get $gram) (i32.const 0x9e3779b1)) (local.get $shift)))
                            (i32.const 3)))
                        (i32.and (local.get $bit) (i32.const 7)))
                      (i32.const 1)))))
              (if (i32.and (local.get $kinds) (i32.const 0xff00))
                (then
                  (br_if $hit
                    (i32.and
                      (i32.shr_u
                        (i32.load8_u offset=1024
                          (i32.shr_u
                            (local.tee $bit
                              (i32.shr_u (i32.mul (i32.and (local.get $gram) (i32.const 0xffffff)) (i32.const 0x9e3779b1)) (local.get $shift)))
                            (i32.const 3)))
                        (i32.and (local.get $bit) (i32.const 7)))
                      (i32.const 1)))))
              (if (i32.and (local.get $kinds) (i32.const 0xff0000))
                (then
                  (br_if $hit
                    (i32.and
                      (i32.shr_u
                        (i32.load8_u offset=1024
                          (i32.shr_u
                            (local.tee $bit
                              (i32.shr_u (i32.mul (i32.and (local.get $gram) (i32.const 0xffff)) (i32.const 0x9e3779b1)) (local.get $shift)))
                            (i32.const 3)))
                        (i32.and (local.get $bit) (i32.const 7)))
                      (i32.const 1)))))
              (br_if $lanes (local.get $bits))
              (br $next))
            (i32.store (local.get $out) (local.get $place))
            (local.set $out (i32.add (local.get $out) (i32.const 4)))
            (br_if $lanes (local.get $bits))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br_if $blocks (i32.lt_u (local.get $out) (local.get $full)))))
    (i32.store offset=144 (i32.const 0) (local.get $at))
    (local.get $out))
)
