// Made by .ci/emoji from db/emoji.json of gemoji, https://github.com/github/gemoji, whose licence is:
//
// Copyright (c) 2019 GitHub, Inc.
//
// Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
// documentation files (the "Software"), to deal in the Software without restriction, including without limitation
// the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and
// to permit persons to whom the Software is furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all copies or substantial portions of
// the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO
// THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF
// CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS
// IN THE SOFTWARE.

extension EmojiNames {
  /// Animals & Nature, Food & Drink, Travel & Places, Activities: names, each with its emoji behind it.
  static let nature = """
    monkey_face 🐵 monkey 🐒 gorilla 🦍 orangutan 🦧 dog 🐶 dog2 🐕 guide_dog 🦮 poodle 🐩 wolf 🐺 fox_face 🦊
    raccoon 🦝 cat 🐱 cat2 🐈 lion 🦁 tiger 🐯 tiger2 🐅 leopard 🐆 horse 🐴 moose 🫎 donkey 🫏 racehorse 🐎
    unicorn 🦄 zebra 🦓 deer 🦌 bison 🦬 cow 🐮 ox 🐂 water_buffalo 🐃 cow2 🐄 pig 🐷 pig2 🐖 boar 🐗
    pig_nose 🐽 ram 🐏 sheep 🐑 goat 🐐 dromedary_camel 🐪 camel 🐫 llama 🦙 giraffe 🦒 elephant 🐘 mammoth 🦣
    rhinoceros 🦏 hippopotamus 🦛 mouse 🐭 mouse2 🐁 rat 🐀 hamster 🐹 rabbit 🐰 rabbit2 🐇 chipmunk 🐿️
    beaver 🦫 hedgehog 🦔 bat 🦇 bear 🐻 koala 🐨 panda_face 🐼 sloth 🦥 otter 🦦 skunk 🦨 kangaroo 🦘
    badger 🦡 feet 🐾 paw_prints 🐾 turkey 🦃 chicken 🐔 rooster 🐓 hatching_chick 🐣 baby_chick 🐤
    hatched_chick 🐥 bird 🐦 penguin 🐧 dove 🕊️ eagle 🦅 duck 🦆 swan 🦢 owl 🦉 dodo 🦤 feather 🪶 flamingo 🦩
    peacock 🦚 parrot 🦜 wing 🪽 goose 🪿 frog 🐸 crocodile 🐊 turtle 🐢 lizard 🦎 snake 🐍 dragon_face 🐲
    dragon 🐉 sauropod 🦕 t-rex 🦖 whale 🐳 whale2 🐋 dolphin 🐬 flipper 🐬 seal 🦭 fish 🐟 tropical_fish 🐠
    blowfish 🐡 shark 🦈 octopus 🐙 shell 🐚 coral 🪸 jellyfish 🪼 snail 🐌 butterfly 🦋 bug 🐛 ant 🐜 bee 🐝
    honeybee 🐝 beetle 🪲 lady_beetle 🐞 cricket 🦗 cockroach 🪳 spider 🕷️ spider_web 🕸️ scorpion 🦂
    mosquito 🦟 fly 🪰 worm 🪱 microbe 🦠 bouquet 💐 cherry_blossom 🌸 white_flower 💮 lotus 🪷 rosette 🏵️
    rose 🌹 wilted_flower 🥀 hibiscus 🌺 sunflower 🌻 blossom 🌼 tulip 🌷 hyacinth 🪻 seedling 🌱
    potted_plant 🪴 evergreen_tree 🌲 deciduous_tree 🌳 palm_tree 🌴 cactus 🌵 ear_of_rice 🌾 herb 🌿
    shamrock ☘️ four_leaf_clover 🍀 maple_leaf 🍁 fallen_leaf 🍂 leaves 🍃 empty_nest 🪹 nest_with_eggs 🪺
    mushroom 🍄 grapes 🍇 melon 🍈 watermelon 🍉 tangerine 🍊 orange 🍊 mandarin 🍊 lemon 🍋 banana 🍌
    pineapple 🍍 mango 🥭 apple 🍎 green_apple 🍏 pear 🍐 peach 🍑 cherries 🍒 strawberry 🍓 blueberries 🫐
    kiwi_fruit 🥝 tomato 🍅 olive 🫒 coconut 🥥 avocado 🥑 eggplant 🍆 potato 🥔 carrot 🥕 corn 🌽
    hot_pepper 🌶️ bell_pepper 🫑 cucumber 🥒 leafy_green 🥬 broccoli 🥦 garlic 🧄 onion 🧅 peanuts 🥜
    beans 🫘 chestnut 🌰 ginger_root 🫚 pea_pod 🫛 bread 🍞 croissant 🥐 baguette_bread 🥖 flatbread 🫓
    pretzel 🥨 bagel 🥯 pancakes 🥞 waffle 🧇 cheese 🧀 meat_on_bone 🍖 poultry_leg 🍗 cut_of_meat 🥩
    bacon 🥓 hamburger 🍔 fries 🍟 pizza 🍕 hotdog 🌭 sandwich 🥪 taco 🌮 burrito 🌯 tamale 🫔
    stuffed_flatbread 🥙 falafel 🧆 egg 🥚 fried_egg 🍳 shallow_pan_of_food 🥘 stew 🍲 fondue 🫕
    bowl_with_spoon 🥣 green_salad 🥗 popcorn 🍿 butter 🧈 salt 🧂 canned_food 🥫 bento 🍱 rice_cracker 🍘
    rice_ball 🍙 rice 🍚 curry 🍛 ramen 🍜 spaghetti 🍝 sweet_potato 🍠 oden 🍢 sushi 🍣 fried_shrimp 🍤
    fish_cake 🍥 moon_cake 🥮 dango 🍡 dumpling 🥟 fortune_cookie 🥠 takeout_box 🥡 crab 🦀 lobster 🦞
    shrimp 🦐 squid 🦑 oyster 🦪 icecream 🍦 shaved_ice 🍧 ice_cream 🍨 doughnut 🍩 cookie 🍪 birthday 🎂
    cake 🍰 cupcake 🧁 pie 🥧 chocolate_bar 🍫 candy 🍬 lollipop 🍭 custard 🍮 honey_pot 🍯 baby_bottle 🍼
    milk_glass 🥛 coffee ☕ teapot 🫖 tea 🍵 sake 🍶 champagne 🍾 wine_glass 🍷 cocktail 🍸 tropical_drink 🍹
    beer 🍺 beers 🍻 clinking_glasses 🥂 tumbler_glass 🥃 pouring_liquid 🫗 cup_with_straw 🥤 bubble_tea 🧋
    beverage_box 🧃 mate 🧉 ice_cube 🧊 chopsticks 🥢 plate_with_cutlery 🍽️ fork_and_knife 🍴 spoon 🥄
    hocho 🔪 knife 🔪 jar 🫙 amphora 🏺 earth_africa 🌍 earth_americas 🌎 earth_asia 🌏
    globe_with_meridians 🌐 world_map 🗺️ japan 🗾 compass 🧭 mountain_snow 🏔️ mountain ⛰️ volcano 🌋
    mount_fuji 🗻 camping 🏕️ beach_umbrella 🏖️ desert 🏜️ desert_island 🏝️ national_park 🏞️ stadium 🏟️
    classical_building 🏛️ building_construction 🏗️ bricks 🧱 rock 🪨 wood 🪵 hut 🛖 houses 🏘️
    derelict_house 🏚️ house 🏠 house_with_garden 🏡 office 🏢 post_office 🏣 european_post_office 🏤
    hospital 🏥 bank 🏦 hotel 🏨 love_hotel 🏩 convenience_store 🏪 school 🏫 department_store 🏬 factory 🏭
    japanese_castle 🏯 european_castle 🏰 wedding 💒 tokyo_tower 🗼 statue_of_liberty 🗽 church ⛪
    mosque 🕌 hindu_temple 🛕 synagogue 🕍 shinto_shrine ⛩️ kaaba 🕋 fountain ⛲ tent ⛺ foggy 🌁
    night_with_stars 🌃 cityscape 🏙️ sunrise_over_mountains 🌄 sunrise 🌅 city_sunset 🌆 city_sunrise 🌇
    bridge_at_night 🌉 hotsprings ♨️ carousel_horse 🎠 playground_slide 🛝 ferris_wheel 🎡
    roller_coaster 🎢 barber 💈 circus_tent 🎪 steam_locomotive 🚂 railway_car 🚃 bullettrain_side 🚄
    bullettrain_front 🚅 train2 🚆 metro 🚇 light_rail 🚈 station 🚉 tram 🚊 monorail 🚝 mountain_railway 🚞
    train 🚋 bus 🚌 oncoming_bus 🚍 trolleybus 🚎 minibus 🚐 ambulance 🚑 fire_engine 🚒 police_car 🚓
    oncoming_police_car 🚔 taxi 🚕 oncoming_taxi 🚖 car 🚗 red_car 🚗 oncoming_automobile 🚘 blue_car 🚙
    pickup_truck 🛻 truck 🚚 articulated_lorry 🚛 tractor 🚜 racing_car 🏎️ motorcycle 🏍️ motor_scooter 🛵
    manual_wheelchair 🦽 motorized_wheelchair 🦼 auto_rickshaw 🛺 bike 🚲 kick_scooter 🛴 skateboard 🛹
    roller_skate 🛼 busstop 🚏 motorway 🛣️ railway_track 🛤️ oil_drum 🛢️ fuelpump ⛽ wheel 🛞
    rotating_light 🚨 traffic_light 🚥 vertical_traffic_light 🚦 stop_sign 🛑 construction 🚧 anchor ⚓
    ring_buoy 🛟 boat ⛵ sailboat ⛵ canoe 🛶 speedboat 🚤 passenger_ship 🛳️ ferry ⛴️ motor_boat 🛥️
    ship 🚢 airplane ✈️ small_airplane 🛩️ flight_departure 🛫 flight_arrival 🛬 parachute 🪂 seat 💺
    helicopter 🚁 suspension_railway 🚟 mountain_cableway 🚠 aerial_tramway 🚡 artificial_satellite 🛰️
    rocket 🚀 flying_saucer 🛸 bellhop_bell 🛎️ luggage 🧳 hourglass ⌛ hourglass_flowing_sand ⏳ watch ⌚
    alarm_clock ⏰ stopwatch ⏱️ timer_clock ⏲️ mantelpiece_clock 🕰️ clock12 🕛 clock1230 🕧 clock1 🕐
    clock130 🕜 clock2 🕑 clock230 🕝 clock3 🕒 clock330 🕞 clock4 🕓 clock430 🕟 clock5 🕔 clock530 🕠
    clock6 🕕 clock630 🕡 clock7 🕖 clock730 🕢 clock8 🕗 clock830 🕣 clock9 🕘 clock930 🕤 clock10 🕙
    clock1030 🕥 clock11 🕚 clock1130 🕦 new_moon 🌑 waxing_crescent_moon 🌒 first_quarter_moon 🌓 moon 🌔
    waxing_gibbous_moon 🌔 full_moon 🌕 waning_gibbous_moon 🌖 last_quarter_moon 🌗
    waning_crescent_moon 🌘 crescent_moon 🌙 new_moon_with_face 🌚 first_quarter_moon_with_face 🌛
    last_quarter_moon_with_face 🌜 thermometer 🌡️ sunny ☀️ full_moon_with_face 🌝 sun_with_face 🌞
    ringed_planet 🪐 star ⭐ star2 🌟 stars 🌠 milky_way 🌌 cloud ☁️ partly_sunny ⛅
    cloud_with_lightning_and_rain ⛈️ sun_behind_small_cloud 🌤️ sun_behind_large_cloud 🌥️
    sun_behind_rain_cloud 🌦️ cloud_with_rain 🌧️ cloud_with_snow 🌨️ cloud_with_lightning 🌩️
    tornado 🌪️ fog 🌫️ wind_face 🌬️ cyclone 🌀 rainbow 🌈 closed_umbrella 🌂 open_umbrella ☂️ umbrella ☔
    parasol_on_ground ⛱️ zap ⚡ snowflake ❄️ snowman_with_snow ☃️ snowman ⛄ comet ☄️ fire 🔥 droplet 💧
    ocean 🌊 jack_o_lantern 🎃 christmas_tree 🎄 fireworks 🎆 sparkler 🎇 firecracker 🧨 sparkles ✨
    balloon 🎈 tada 🎉 confetti_ball 🎊 tanabata_tree 🎋 bamboo 🎍 dolls 🎎 flags 🎏 wind_chime 🎐
    rice_scene 🎑 red_envelope 🧧 ribbon 🎀 gift 🎁 reminder_ribbon 🎗️ tickets 🎟️ ticket 🎫
    medal_military 🎖️ trophy 🏆 medal_sports 🏅 1st_place_medal 🥇 2nd_place_medal 🥈 3rd_place_medal 🥉
    soccer ⚽ baseball ⚾ softball 🥎 basketball 🏀 volleyball 🏐 football 🏈 rugby_football 🏉 tennis 🎾
    flying_disc 🥏 bowling 🎳 cricket_game 🏏 field_hockey 🏑 ice_hockey 🏒 lacrosse 🥍 ping_pong 🏓
    badminton 🏸 boxing_glove 🥊 martial_arts_uniform 🥋 goal_net 🥅 golf ⛳ ice_skate ⛸️
    fishing_pole_and_fish 🎣 diving_mask 🤿 running_shirt_with_sash 🎽 ski 🎿 sled 🛷 curling_stone 🥌
    dart 🎯 yo_yo 🪀 kite 🪁 gun 🔫 8ball 🎱 crystal_ball 🔮 magic_wand 🪄 video_game 🎮 joystick 🕹️
    slot_machine 🎰 game_die 🎲 jigsaw 🧩 teddy_bear 🧸 pinata 🪅 mirror_ball 🪩 nesting_dolls 🪆 spades ♠️
    hearts ♥️ diamonds ♦️ clubs ♣️ chess_pawn ♟️ black_joker 🃏 mahjong 🀄 flower_playing_cards 🎴
    performing_arts 🎭 framed_picture 🖼️ art 🎨 thread 🧵 sewing_needle 🪡 yarn 🧶 knot 🪢
    """
}
